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
