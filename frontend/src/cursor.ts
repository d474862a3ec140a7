// The threshold while it is being dragged: heard of by whatever marks it, sixty times a second,
// and written into the state when the hand lets go.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Store } from "./store";

export class Cursor {
  threshold: number | null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly store: Store) {
    this.threshold = store.state.threshold;
    store.subscribe(() => this.show(store.state.threshold));
  }

  move(threshold: number | null, done: boolean): void {
    this.show(threshold);
    if (done && threshold !== this.store.state.threshold) this.store.change({ threshold }, "threshold");
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private show(threshold: number | null): void {
    if (threshold === this.threshold) return;
    this.threshold = threshold;
    for (const listener of [...this.listeners]) listener();
  }
}

export const CursorContext = createContext<Cursor | null>(null);
export const useCursor = (): Cursor => useContext(CursorContext)!;

// The threshold as it moves; a component that asks for it is drawn again at every step.
export function useThreshold(): number | null {
  const cursor = useCursor();
  const [threshold, setThreshold] = useState(cursor.threshold);
  useEffect(() => {
    const look = () => setThreshold(cursor.threshold);
    look();
    return cursor.subscribe(look);
  }, [cursor]);
  return threshold;
}
