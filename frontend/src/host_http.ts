// The host of `plumbline serve`: every address is relative to /TOKEN/.
import { type Alive, AskError, type Asking, type ColumnsAnswer, type Failure, type Host, type Question, type Start } from "./host";
import { decode } from "./wire";

const OFFLINE: Failure = {
  kind: "offline",
  message: "The server does not answer. Is `plumbline serve` still running?",
};

const THUMBS_AT_ONCE = 2; // a browser has six connections to a host, and other questions must find one free

export const httpHost: Host = {
  notebook: false,
  start: async () => (await json("api/start")) as Start,
  upload: async (file, asking) => ((await sent(`api/tables?${new URLSearchParams({ name: file.name })}`, file, asking)) as { table: string }).table,
  columns: async (table, writing) => {
    const said = Object.entries(writing ?? {}).flatMap(([name, value]) => (value === null ? [] : [value].flat().map((one) => [name, one])));
    return (await json(`api/tables/${table}/columns${said.length ? `?${new URLSearchParams(said)}` : ""}`)) as ColumnsAnswer;
  },
  open: async (table, roles) => {
    const found = await json(`api/tables/${table}/open`, { method: "POST", body: JSON.stringify(roles) });
    return (found as { table: string }).table;
  },
  example: async (name) => {
    const found = await json(`api/examples/${encodeURIComponent(name)}`, { method: "POST" });
    return (found as { table: string }).table;
  },
  assets: async () => {
    const [script, style] = await Promise.all(["js", "css"].map(async (kind) => (await reach(`assets/workbench.${kind}`)).text()));
    return { script: script!, style: style! };
  },
  ask: (table, question, asking) =>
    question["thumb"] === true ? inTurn(() => ask(table, question, asking), asking) : ask(table, question, asking),
  alive: async (table) => (await json(`api/tables/${table}/alive`, { method: "POST" })) as Alive,
  close: async (table) => {
    await json(`api/tables/${table}`, { method: "DELETE", keepalive: true });
  },
};

// Thumbnails wait here for each other, and those whose reader has left never start.
let thumbs = 0;
const waiting: (() => void)[] = [];

export async function inTurn<T>(work: () => Promise<T>, asking?: Asking): Promise<T> {
  if (thumbs >= THUMBS_AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else thumbs += 1;
  try {
    asking?.signal?.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else thumbs -= 1;
  }
}

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

// Only the older way of sending tells how much of a file has arrived.
function sent(address: string, file: File, asking?: Asking): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open("POST", address);
    request.responseType = "text";
    request.upload.onprogress = (event) => event.lengthComputable && asking?.onProgress?.(event.loaded, event.total);
    request.onerror = () => reject(new AskError(OFFLINE));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const found = read(request.responseText);
      if (found?.error) reject(new AskError(found.error));
      else if (found === null || request.status >= 400) reject(new AskError(OFFLINE));
      else resolve(found);
    };
    asking?.signal?.addEventListener("abort", stop, { once: true });
    request.onloadend = () => asking?.signal?.removeEventListener("abort", stop);
    request.send(file);
  });
}

function read(text: string): { error?: Failure } | null {
  try {
    return JSON.parse(text) as { error?: Failure };
  } catch {
    return null;
  }
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
  let parts: Uint8Array[] = [];
  let here = 0; // bytes in `parts`
  let needed = HEADER; // bytes until there is more to understand
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new AskError(OFFLINE);
    parts.push(value);
    here += value.length;
    if (here < needed) continue;
    let held = joined(parts, here);
    for (needed = frameSize(held); held.length >= needed; needed = frameSize(held)) {
      const kind = String.fromCharCode(held[0]!);
      const payload = held.slice(HEADER, needed); // a copy, so that its arrays are aligned
      held = held.subarray(needed);
      if (kind === "A") return decode(payload.buffer);
      const told = JSON.parse(new TextDecoder().decode(payload));
      if (kind === "E") throw new AskError(told as Failure);
      asking?.onProgress?.(told.done as number, told.total as number);
    }
    parts = [held];
    here = held.length;
  }
}

const HEADER = 5; // the letter and the length

const frameSize = (held: Uint8Array): number =>
  held.length < HEADER ? HEADER : HEADER + new DataView(held.buffer, held.byteOffset).getUint32(1, true);

function joined(parts: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
