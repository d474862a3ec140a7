// The host of a notebook: one table for good; messages over the widget instead of requests.
import { AskError, type Asking, type Failure, type Host, type Question } from "./host";
import { decode } from "./wire";

// What anywidget gives a front end, as far as it is used here.
export interface WidgetModel {
  get(name: string): unknown;
  send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, callback: (content: unknown, buffers?: DataView[]) => void): void;
  off(event: string, callback: (content: unknown, buffers?: DataView[]) => void): void;
}

interface Told {
  id: string;
  progress?: { done: number; total: number };
  failure?: Failure;
}

const TABLE = "notebook";

const only = (): never => {
  throw new AskError({ kind: "gone", message: "This workbench shows the table of its cell. To change it, run the cell with another table." });
};

// The views of one widget share a model, so every view gives its questions names of its own.
let views = 0;

export function widgetHost(model: WidgetModel): Host {
  const view = `${++views} ${Math.random().toString(36).slice(2)}`;
  let asked = 0;
  return {
    notebook: true,
    start: async () => ({ served: TABLE, examples: [], limits: {} }),
    upload: async () => only(),
    columns: async () => only(),
    open: async () => only(),
    example: async () => only(),
    assets: async () => only(),
    ask: (_, question, asking) => ask(model, `${view} ${++asked}`, question, asking),
    alive: async (table) => ({ news: null, table }), // it lives as long as its kernel
    close: async () => undefined,
  };
}

function ask(model: WidgetModel, id: string, question: Question, { signal, onProgress }: Asking = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const hear = (content: unknown, buffers?: DataView[]) => {
      const told = content as Told | null;
      if (told?.id !== id) return;
      if (told.progress) return onProgress?.(told.progress.done, told.progress.total);
      end();
      if (told.failure) reject(new AskError(told.failure));
      else resolve(decode(plain(buffers![0]!)));
    };
    const leave = () => {
      end();
      model.send({ id, cancel: true });
      reject(signal!.reason as Error);
    };
    const end = () => {
      model.off("msg:custom", hear);
      signal?.removeEventListener("abort", leave);
    };
    model.on("msg:custom", hear);
    signal?.addEventListener("abort", leave, { once: true });
    model.send({ id, question });
  });
}

// A copy that begins at 0, so that its arrays are aligned.
function plain(buffer: DataView | ArrayBuffer): ArrayBuffer {
  if (buffer instanceof ArrayBuffer) return buffer.slice(0);
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength).slice().buffer;
}
