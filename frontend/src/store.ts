// The one place that holds the state: who changes it, who hears of it, and the way back.
import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { DEFAULTS, type State } from "./state";

const LONGEST_HISTORY = 200;

export class Store {
  state: State;
  private past: State[] = [];
  private future: State[] = [];
  private merging: string | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(state: State = DEFAULTS) {
    this.state = state;
  }

  // Changes follow each other under one `merge` name make one step of undo: a slider being dragged.
  change(patch: Partial<State>, merge: string | null = null): void {
    if (merge === null || merge !== this.merging) {
      this.past = [...this.past.slice(-LONGEST_HISTORY), this.state];
    }
    this.merging = merge;
    this.future = [];
    this.set({ ...this.state, ...patch });
  }

  // Change some fields of one room's part.
  edit<Part extends keyof State>(part: Part, patch: Partial<State[Part]>, merge: string | null = null): void {
    this.change({ [part]: { ...(this.state[part] as object), ...(patch as object) } } as Partial<State>, merge);
  }

  // Take over a state from elsewhere (a URL, a board) without a step of undo.
  replace(state: State): void {
    this.merging = null;
    this.set(state);
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

export const StoreContext = createContext<Store>(new Store());
export const useStore = (): Store => useContext(StoreContext);

// What a component shows of the state; it is drawn again only when that changes.
export function usePart<Seen>(select: (state: State) => Seen): Seen {
  const store = useStore();
  const [seen, setSeen] = useState(() => select(store.state));
  const latest = useRef(select);
  latest.current = select;
  useEffect(() => {
    const look = () => setSeen(() => latest.current(store.state));
    look();
    return store.subscribe(look);
  }, [store]);
  return seen;
}
