// The threshold while it is being dragged: heard of by whatever marks it, sixty times a second,
// and written into the state when the hand lets go.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Question } from "./host";
import type { State } from "./state";
import type { Store } from "./store";

// What a threshold is one of: a sort key and the class that counts as positive. Null: the table's own
// rating, of its own positive class. A number of one unit means nothing on another.
export type Unit = string | null;

const RATINGS = ["", "probability"];

export function unitOf(sortBy: unknown, target: unknown): Unit {
  const key = typeof sortBy === "string" ? sortBy.trim() : "";
  const own = RATINGS.includes(key);
  if (typeof target !== "string") return own ? null : key;
  return own ? `rating of ${target}` : `${key}, where ${target} counts as positive`;
}

export function unitOfQuestion({ curve, data }: Question): Unit {
  const of = (section: unknown, name: string) => (section as Record<string, unknown> | null | undefined)?.[name];
  return unitOf(of(curve, "sort_by"), of(data, "target"));
}

// The threshold that is chosen, where it is one of a unit.
export const thresholdIn = (state: State, unit: Unit): number | null => (state.reading.threshold_of === unit ? state.threshold : null);

// How a threshold is moved: `again` goes on with the last gesture, such as a key that is held down.
interface Move {
  unit?: Unit | undefined;
  again?: boolean;
}

// The cursor as charts of one unit have it.
export interface UnitCursor {
  readonly threshold: number | null;
  move(threshold: number | null, done: boolean, again?: boolean): void;
  subscribe(listener: () => void): () => void;
}

export class Cursor {
  private threshold: number | null;
  private unit: Unit;
  private gestures = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly store: Store) {
    this.threshold = store.state.threshold;
    this.unit = store.state.reading.threshold_of;
    store.subscribe(() => this.show(store.state.threshold, store.state.reading.threshold_of));
  }

  // The threshold in a unit, null where it was chosen in another.
  at(unit: Unit = this.own): number | null {
    return unit === this.unit ? this.threshold : null;
  }

  // Every move that is done is a step of undo of its own, unless it goes on with the last one.
  move(threshold: number | null, done: boolean, { unit = this.own, again = false }: Move = {}): void {
    this.show(threshold, unit);
    if (!done) return;
    if (!again) this.gestures += 1;
    const { reading } = this.store.state;
    this.store.change({ threshold, reading: { ...reading, threshold_of: unit } }, `threshold ${this.gestures}`);
  }

  on(unit: Unit): UnitCursor {
    const at = () => this.at(unit);
    return {
      get threshold() {
        return at();
      },
      move: (threshold, done, again = false) => this.move(threshold, done, { unit, again }),
      subscribe: (listener) => this.subscribe(listener),
    };
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // What rooms without a curve decide by.
  private get own(): Unit {
    return unitOf(null, this.store.state.data.target);
  }

  private show(threshold: number | null, unit: Unit): void {
    if (threshold === this.threshold && unit === this.unit) return;
    this.threshold = threshold;
    this.unit = unit;
    for (const listener of [...this.listeners]) listener();
  }
}

export const CursorContext = createContext<Cursor | null>(null);
export const useCursor = (): Cursor => useContext(CursorContext)!;

// The threshold as it moves; a component that asks for it is drawn again at every step.
export function useThreshold(unit?: Unit): number | null {
  const cursor = useCursor();
  const [, moved] = useState<number | null>(null);
  useEffect(() => {
    const look = () => moved(cursor.at(unit));
    look();
    return cursor.subscribe(look);
  }, [cursor, unit]);
  return cursor.at(unit);
}
