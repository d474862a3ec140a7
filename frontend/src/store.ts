// The one place that holds the state: who changes it, who hears of it, and the way back.
import { createContext } from "preact";
import { useContext, useLayoutEffect, useReducer, useRef } from "preact/hooks";
import { DEFAULTS, type Room, type State } from "./state";

const LONGEST_HISTORY = 200;
const PAUSE = 1000; // milliseconds after which the next change is another step, whatever its name

export class Store {
  state: State;
  private past: State[] = [];
  private future: State[] = [];
  private merging: string | null = null;
  private changed = 0; // when that was last
  steps = 0; // changes that are worth an entry in the browser's history: all but drags and typing
  onSettled: (() => void) | null = null; // told when a gesture ends
  private readonly listeners = new Set<() => void>();

  constructor(
    state: State = DEFAULTS,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.state = state;
  }

  // Changes that follow each other closely under one `merge` name make one step of undo: a slider being
  // dragged, a word being typed. A pause, or the end of the gesture, begins the next step.
  change(patch: Partial<State>, merge: string | null = null): void {
    if (!differs(this.state, patch)) return;
    const now = this.clock();
    if (merge === null || merge !== this.merging || now - this.changed > PAUSE) {
      this.past = [...this.past.slice(1 - LONGEST_HISTORY), this.state];
    }
    this.merging = merge;
    this.changed = now;
    this.future = [];
    if (merge === null) this.steps += 1;
    this.set({ ...this.state, ...patch });
  }

  // Change some fields of one room's part.
  edit<Part extends keyof State>(part: Part, patch: Partial<State[Part]>, merge: string | null = null): void {
    if (!differs(this.state[part] as object, patch as object)) return;
    this.change({ [part]: { ...(this.state[part] as object), ...(patch as object) } } as Partial<State>, merge);
  }

  // The hand lets go, or leaves the field: what comes next is another step.
  settle(): void {
    this.merging = null;
    this.onSettled?.();
  }

  // Take over a state from elsewhere (a URL, a board) without a step of undo.
  replace(state: State): void {
    this.merging = null;
    this.set(state);
  }

  // Walking through the rooms is no change: undo goes back to what was changed, wherever that was.
  go(room: Room): void {
    if (room === this.state.room) return;
    this.steps += 1;
    this.replace({ ...this.state, room });
  }

  // Another table, or none: what was chosen for the last one means nothing here, and there is no way back.
  open(table: string | null): void {
    this.past = [];
    this.future = [];
    this.replace({ ...DEFAULTS, table });
  }

  // What an address says. It holds no board: that of this table stays, and another table begins anew.
  arrive(told: State): void {
    const table = told.table ?? this.state.table;
    if (table !== this.state.table) this.open(table);
    this.replace({ ...told, table, board: this.state.board });
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    const back = this.past.pop();
    if (!back) return;
    this.future.push(this.state);
    this.merging = null;
    this.set(back);
  }

  redo(): void {
    const forth = this.future.pop();
    if (!forth) return;
    this.past.push(this.state);
    this.merging = null;
    this.set(forth);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private set(state: State): void {
    this.state = state;
    for (const listener of [...this.listeners]) listener();
  }
}

function differs(known: object, patch: object): boolean {
  const before = known as Record<string, unknown>;
  return Object.entries(patch).some(([name, value]) => value !== before[name] && JSON.stringify(value) !== JSON.stringify(before[name]));
}

export const StoreContext = createContext<Store>(new Store());
export const useStore = (): Store => useContext(StoreContext);

// What a component shows of the state; it is drawn again only when that changes.
export function usePart<Seen>(select: (state: State) => Seen): Seen {
  const store = useStore();
  return useWatched(store, () => select(store.state));
}

// Something that tells of its changes, as a component shows it: what is read is always of now, and a
// change between drawing and listening is not lost.
export function useWatched<Seen>(watched: { subscribe(listener: () => void): () => void }, read: () => Seen): Seen {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const seen = read();
  const latest = useRef({ read, seen });
  latest.current = { read, seen };
  useLayoutEffect(() => {
    const look = () => {
      if (!Object.is(latest.current.read(), latest.current.seen)) draw(undefined as never);
    };
    look();
    return watched.subscribe(look);
  }, [watched]);
  return seen;
}
