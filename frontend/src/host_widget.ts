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

const RESTARTED: Failure = { kind: "gone", message: "The kernel of this notebook was restarted. Run this cell again." };
const PATIENCE = 10_000; // milliseconds for an answer to whether the kernel is still there

// What a notebook tells of its kernel is only that something changed (comm_live_update), as it does when
// the kernel is restarted. So every answer shows that it lives, and the event that it may not.
class Kernel {
  live = true;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly model: WidgetModel) {
    model.on("msg:custom", () => (this.live = true));
    model.on("comm_live_update", () => {
      this.live = false;
      for (const listener of [...this.listeners]) listener();
    });
  }

  onLost(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Whether it answers a question that costs nothing.
  async answers(id: string): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE);
    await ask(this.model, null, id, { kind: "about" } as Question, { signal }).catch(() => {
      throw new AskError(RESTARTED);
    });
  }
}

// The views of one widget share a model, so every view gives its questions names of its own.
let views = 0;

export function widgetHost(model: WidgetModel): Host {
  const view = `${++views} ${Math.random().toString(36).slice(2)}`;
  const kernel = new Kernel(model);
  let asked = 0;
  const next = () => `${view} ${++asked}`;
  return {
    notebook: true,
    onLost: (listener) => kernel.onLost(listener),
    start: async () => ({ served: TABLE, examples: [], limits: {} }),
    upload: async () => only(),
    columns: async () => only(),
    open: async () => only(),
    example: async () => only(),
    assets: async () => only(),
    ask: (_, question, asking) => ask(model, kernel, next(), question, asking),
    alive: async (table) => {
      if (!kernel.live) await kernel.answers(next());
      return { news: null, table };
    },
    close: async () => undefined,
  };
}

function ask(
  model: WidgetModel,
  kernel: Kernel | null,
  id: string,
  question: Question,
  { signal, onProgress }: Asking = {},
): Promise<unknown> {
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
    const lost = () => {
      end();
      reject(new AskError(RESTARTED));
    };
    const leave = () => {
      end();
      model.send({ id, cancel: true });
      reject(signal!.reason as Error);
    };
    const end = () => {
      model.off("msg:custom", hear);
      forget();
      signal?.removeEventListener("abort", leave);
    };
    model.on("msg:custom", hear);
    const forget = kernel?.onLost(lost) ?? (() => false);
    signal?.addEventListener("abort", leave, { once: true });
    model.send({ id, question });
  });
}

// A copy that begins at 0, so that its arrays are aligned.
function plain(buffer: DataView | ArrayBuffer): ArrayBuffer {
  if (buffer instanceof ArrayBuffer) return buffer.slice(0);
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength).slice().buffer;
}
