// Questions and their answers: one answer a question, kept; the previous one stays in sight while
// the next is computed; what nobody waits for any more is cancelled.
import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { AskError, type Asking, type Failure, type Host, type Question } from "./host";

const KEPT = 100;
const STEPS = 100; // of progress that are drawn

type Told = (done: number, total: number) => void;

// A question on its way, and how many wait for its answer.
interface Flight {
  answer: Promise<unknown>;
  controller: AbortController;
  waiting: number;
  told: Set<Told>;
}

export class TableClient {
  trouble: Failure | null = null; // the table is gone, or nobody answers
  news: string | null = null; // what became of the file since it was opened
  latest: string; // the table to show instead of this one, where a watched file was read anew
  private readonly kept = new Map<string, unknown>();
  private readonly flights = new Map<string, Flight>();
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly host: Host,
    readonly table: string,
  ) {
    this.latest = table;
  }

  known(question: Question): unknown {
    return this.knownAs(JSON.stringify(question));
  }

  knownAs(key: string): unknown {
    return this.kept.get(key);
  }

  // Who asks what is being asked already waits with the others; the last one to leave cancels it.
  async ask(question: Question, asking: Asking = {}): Promise<unknown> {
    const key = JSON.stringify(question);
    const { signal, onProgress } = asking;
    if (this.kept.has(key)) return this.used(key);
    signal?.throwIfAborted();
    const flight = this.flights.get(key) ?? this.start(key, question);
    flight.waiting += 1;
    if (onProgress) flight.told.add(onProgress);
    return new Promise((resolve, reject) => {
      const left = () => {
        if (onProgress) flight.told.delete(onProgress);
        flight.waiting -= 1;
        if (flight.waiting === 0) this.drop(key, flight);
        reject(signal!.reason);
      };
      const arrived = () => signal?.removeEventListener("abort", left);
      signal?.addEventListener("abort", left, { once: true });
      flight.answer.then((answer) => (arrived(), resolve(answer)), (error: unknown) => (arrived(), reject(error as Error)));
    });
  }

  // Tell the server that somebody still looks at the table.
  async alive(): Promise<void> {
    try {
      const { news, table } = await this.host.alive(this.table);
      this.heard(null);
      if (news !== this.news || table !== this.latest) {
        this.news = news;
        this.latest = table;
        for (const listener of [...this.listeners]) listener();
      }
    } catch (error) {
      this.heard(failureOf(error));
    }
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private start(key: string, question: Question): Flight {
    const controller = new AbortController();
    const told = new Set<Told>();
    const onProgress: Told = (done, total) => told.forEach((tell) => tell(done, total));
    const answer = this.host.ask(this.table, question, { signal: controller.signal, onProgress }).then(
      (found) => {
        this.keep(key, found);
        this.heard(null);
        return found;
      },
      (error: unknown) => {
        this.heard(failureOf(error));
        throw error;
      },
    );
    const flight = { answer, controller, waiting: 0, told };
    this.flights.set(key, flight);
    const landed = () => this.flights.get(key) === flight && this.flights.delete(key);
    answer.then(landed, landed);
    return flight;
  }

  private drop(key: string, flight: Flight): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
    flight.controller.abort();
  }

  private used(key: string): unknown {
    const answer = this.kept.get(key);
    this.kept.delete(key);
    this.kept.set(key, answer); // the last used go last
    return answer;
  }

  private keep(key: string, answer: unknown): void {
    this.kept.set(key, answer);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
  }

  private heard(failure: Failure | null): void {
    if (failure !== null && failure.kind !== "gone" && failure.kind !== "offline") return;
    if (failure?.kind === this.trouble?.kind) return;
    this.trouble = failure;
    for (const listener of [...this.listeners]) listener();
  }
}

export const ClientContext = createContext<TableClient | null>(null);
export const useClient = (): TableClient => useContext(ClientContext)!;

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
  const client = useClient();
  const key = question === null ? null : JSON.stringify(question);
  const [again, setAgain] = useState(0);
  const held = useRef<{ key: string; answer: Answer } | null>(null);
  const [failed, setFailed] = useState<{ key: string; failure: Failure } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [, setArrived] = useState(0);
  const running = useRef<AbortController | null>(null);

  // What is known is there at once, before anything is drawn.
  const known = key === null || held.current?.key === key ? undefined : (client.knownAs(key) as Answer | undefined);
  if (key !== null && known !== undefined) held.current = { key, answer: known };

  useEffect(() => {
    if (key === null) return undefined;
    setProgress(null);
    setFailed(null);
    if (held.current?.key === key) return undefined;
    const controller = new AbortController();
    running.current = controller;
    const isLatest = () => running.current === controller;
    const onProgress = (done: number, total: number) => isLatest() && setProgress(total ? Math.floor((STEPS * done) / total) / STEPS : null);
    const fail = (error: unknown) => isLatest() && setFailed({ key, failure: failureOf(error) });
    controller.signal.addEventListener("abort", () => fail(controller.signal.reason), { once: true });
    const timer = setTimeout(() => {
      if (controller.signal.aborted) return;
      client.ask(JSON.parse(key) as Question, { signal: controller.signal, onProgress }).then((answer) => {
        if (!isLatest()) return;
        held.current = { key, answer: answer as Answer };
        setArrived((count) => count + 1);
      }, fail);
    }, options.delay ?? 0);
    return () => {
      clearTimeout(timer);
      running.current = null;
      controller.abort();
    };
  }, [client, key, again]);

  const cancel = useCallback(() => running.current?.abort(), []);
  const retry = useCallback(() => setAgain((count) => count + 1), []);
  const fresh = held.current !== null && held.current.key === key;
  const error = !fresh && failed !== null && failed.key === key ? failed.failure : null;
  return {
    answer: held.current?.answer ?? null,
    stale: held.current !== null && !fresh,
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
