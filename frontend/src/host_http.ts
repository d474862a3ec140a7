// The host of `plumbline serve`: every address is relative to /TOKEN/.
import { AskError, type Asking, type ColumnsAnswer, type Failure, type Host, type Question, type Start } from "./host";
import { decode } from "./wire";

const OFFLINE: Failure = {
  kind: "offline",
  message: "The server does not answer. Is `plumbline serve` still running?",
};

export const httpHost: Host = {
  notebook: false,
  start: async () => (await json("api/start")) as Start,
  upload: async (file, asking) => {
    const query = new URLSearchParams({ name: file.name });
    const found = await json(`api/tables?${query}`, { method: "POST", body: file, ...signal(asking) });
    return (found as { table: string }).table;
  },
  columns: async (table) => (await json(`api/tables/${table}/columns`)) as ColumnsAnswer,
  open: async (table, roles) => {
    await json(`api/tables/${table}/open`, { method: "POST", body: JSON.stringify(roles) });
  },
  example: async (name) => {
    const found = await json(`api/examples/${encodeURIComponent(name)}`, { method: "POST" });
    return (found as { table: string }).table;
  },
  ask: async (table, question, asking) => ask(table, question, asking),
  close: async (table) => {
    await json(`api/tables/${table}`, { method: "DELETE", keepalive: true });
  },
};

const signal = (asking?: Asking) => (asking?.signal ? { signal: asking.signal } : {});

async function reach(address: string, options?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new AskError(OFFLINE);
  }
}

async function json(address: string, options?: RequestInit): Promise<unknown> {
  const response = await reach(address, options);
  const found = (await response.json()) as { error?: Failure };
  if (found.error) throw new AskError(found.error);
  return found;
}

// A stream of frames: a letter, the length of the payload (uint32, little-endian), the payload.
// P: progress, A: the answer, E: why there is none.
async function ask(table: string, question: Question, asking?: Asking): Promise<unknown> {
  const response = await reach(`api/tables/${table}/ask`, {
    method: "POST",
    body: JSON.stringify(question),
    headers: { "Content-Type": "application/json" },
    ...signal(asking),
  });
  if (!response.ok) throw new AskError(((await response.json()) as { error: Failure }).error);
  const reader = response.body!.getReader();
  let held = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new AskError(OFFLINE);
    held = joined(held, value);
    for (let size = frameSize(held); size !== null && held.length >= size; size = frameSize(held)) {
      const kind = String.fromCharCode(held[0]!);
      const payload = held.slice(5, size); // a copy, so that its arrays are aligned
      held = held.slice(size);
      if (kind === "A") return decode(payload.buffer);
      const told = JSON.parse(new TextDecoder().decode(payload));
      if (kind === "E") throw new AskError(told as Failure);
      asking?.onProgress?.(told.done as number, told.total as number);
    }
  }
}

const frameSize = (held: Uint8Array): number | null =>
  held.length < 5 ? null : 5 + new DataView(held.buffer, held.byteOffset).getUint32(1, true);

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
