// Changes to the cards of a board, each from one list to the next.
import type { Question } from "../host";
import type { State } from "../state";
import { fromFragment, toFragment } from "../url";
import type { Pin } from "./state";

export const MOST_PINS = 200;

export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}

// A pin of a question, with the state around it; the table is always the one that is open.
export function pinned(question: Question, title: string, state: State): Pin {
  const from = toFragment({ ...state, table: null });
  return { id: newId(), title, note: "", question, from };
}

// The class that a question says is positive; null where it leaves that to the table. Boards come from elsewhere.
export function targetOf({ data }: Question): string | null {
  const target = (data as { target?: unknown } | null | undefined)?.target;
  return typeof target === "string" ? target : null;
}

export const noteCard = (): Pin => ({ id: newId(), title: "Note", note: "", question: null, from: null });

export const isPinned = (pins: readonly Pin[], question: Question): boolean => {
  const key = JSON.stringify(question);
  return pins.some((pin) => pin.question !== null && JSON.stringify(pin.question) === key);
};

export const changed = (pins: readonly Pin[], id: string, patch: Partial<Pin>): Pin[] =>
  pins.map((pin) => (pin.id === id ? { ...pin, ...patch } : pin));

export const without = (pins: readonly Pin[], id: string): Pin[] => pins.filter((pin) => pin.id !== id);

export function doubled(pins: readonly Pin[], id: string): Pin[] {
  return pins.flatMap((pin) => (pin.id === id ? [pin, { ...pin, id: newId(), title: `${pin.title} (copy)` }] : [pin]));
}

// The card goes to a place; those between give way.
export function moved(pins: readonly Pin[], id: string, place: number): Pin[] {
  const card = pins.find((pin) => pin.id === id);
  if (!card || place < 0 || place >= pins.length) return [...pins];
  const rest = without(pins, id);
  return [...rest.slice(0, place), card, ...rest.slice(place)];
}

// The state a card was pinned from, with the table and the board of now.
export function stateOf(pin: Pin, now: State): State {
  return { ...fromFragment(pin.from ?? ""), table: now.table, board: now.board };
}
