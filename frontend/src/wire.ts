// Answers as bytes: see src/plumbline/workbench/wire.py, whose `decode` this mirrors.

type Place = ["f8" | "u1", number, number];

export function decode(raw: ArrayBuffer): unknown {
  const length = new DataView(raw).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(raw, 4, length))) as {
    answer: unknown;
    arrays: Place[];
  };
  const start = 4 + length;
  const arrays = header.arrays.map(([kind, offset, count]) =>
    kind === "u1" ? new Uint8Array(raw, start + offset, count) : new Float64Array(raw, start + offset, count),
  );
  return withArrays(header.answer, arrays);
}

function withArrays(value: unknown, arrays: unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withArrays(item, arrays));
  if (value === null || typeof value !== "object") return value;
  const fields = value as Record<string, unknown>;
  if ("$array" in fields) return arrays[fields["$array"] as number];
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, withArrays(item, arrays)]));
}

// The same as text, for a file: arrays as the text of their bytes.
export const frozen = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => {
    if (value instanceof Float64Array) return { $f8: text64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    return value instanceof Uint8Array ? { $u1: text64(value) } : value;
  });

export const thawed = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => {
    if (value === null || typeof value !== "object") return value;
    const { $f8, $u1 } = value as { $f8?: unknown; $u1?: unknown };
    if (typeof $f8 === "string") return new Float64Array(bytes64($f8).buffer);
    return typeof $u1 === "string" ? bytes64($u1) : value;
  });

const STEP = 0x8000; // bytes that one call takes

function text64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += STEP) text += String.fromCharCode(...bytes.subarray(from, from + STEP));
  return btoa(text);
}

const bytes64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
