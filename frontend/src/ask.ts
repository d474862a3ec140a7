// Questions and their answers: one answer a question, kept; the previous one stays in sight while
// the next is computed; what nobody waits for any more is cancelled.
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { AskError, type Asking, type Failure, type Host, type Question } from "./host";

const KEPT = 100;

export class Desk {
  private readonly kept = new Map<string, unknown>();

  constructor(
    readonly host: Host,
    readonly table: string,
  ) {}

  known(question: Question): unknown {
    return this.kept.get(JSON.stringify(question));
  }

  async ask(question: Question, asking?: Asking): Promise<unknown> {
    const key = JSON.stringify(question);
    if (this.kept.has(key)) return this.kept.get(key);
    const answer = await this.host.ask(this.table, question, asking);
    this.kept.set(key, answer);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return answer;
  }
}

export const DeskContext = createContext<Desk | null>(null);
export const useDesk = (): Desk => useContext(DeskContext)!;

export interface Answered<Answer> {
  answer: Answer | null; // the last one there was
  stale: boolean; // whether it belongs to an earlier question
  busy: boolean;
  progress: number | null; // share done, where that is known
  error: Failure | null;
  cancel: () => void;
  retry: () => void;
}

// Ask whenever the question changes; null asks nothing. `delay` waits for typing to pause.
export function useAnswer<Answer>(question: Question | null, options: { delay?: number } = {}): Answered<Answer> {
  const desk = useDesk();
  const key = question === null ? null : JSON.stringify(question);
  const [again, setAgain] = useState(0);
  const [held, setHeld] = useState<{ key: string; answer: Answer } | null>(null);
  const [failed, setFailed] = useState<{ key: string; failure: Failure } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);

  useEffect(() => {
    if (key === null) return undefined;
    const known = desk.known(JSON.parse(key) as Question);
    setProgress(null);
    setFailed(null);
    if (known !== undefined) {
      setHeld({ key, answer: known as Answer });
      return undefined;
    }
    const controller = new AbortController();
    running.current = controller;
    const timer = setTimeout(() => {
      desk
        .ask(JSON.parse(key) as Question, {
          signal: controller.signal,
          onProgress: (done, total) => setProgress(total ? done / total : null),
        })
        .then((answer) => !controller.signal.aborted && setHeld({ key, answer: answer as Answer }))
        .catch((error: unknown) => {
          if (running.current === controller) setFailed({ key, failure: failureOf(error) });
        });
    }, options.delay ?? 0);
    return () => {
      clearTimeout(timer);
      running.current = null;
      controller.abort();
    };
  }, [desk, key, again]);

  const cancel = useCallback(() => running.current?.abort(), []);
  const retry = useCallback(() => setAgain((count) => count + 1), []);
  const error = failed !== null && failed.key === key ? failed.failure : null;
  const fresh = held !== null && held.key === key;
  return {
    answer: held?.answer ?? null,
    stale: held !== null && !fresh,
    busy: key !== null && !fresh && error === null,
    progress,
    error,
    cancel,
    retry,
  };
}

export function failureOf(error: unknown): Failure {
  if (error instanceof AskError) return error.failure;
  if (error instanceof DOMException && error.name === "AbortError") {
    return { kind: "cancelled", message: "Cancelled." };
  }
  return { kind: "crash", message: error instanceof Error ? error.message : String(error) };
}
