// The questions of the room of the confusion matrix.
import type { About } from "../answers";
import type { Question } from "../host";
import { dataSection } from "../questions";
import { askedOf } from "../requests";
import type { State } from "../state";
import type { Place } from "./state";

type Seen = Pick<State, "data" | "matrix">;

// The class that is seen against the rest; null: two classes, or all of them at once.
export const targetOf = (state: Seen, about: About): string | null =>
  about.k > 2 && state.matrix.against ? (state.data.target ?? about.positive) : null;

// What decides: a threshold parts two sides, so all of many classes have none.
function decision(state: Seen, about: About, threshold: number | null): Record<string, unknown> {
  const target = targetOf(state, about);
  const parted = about.k === 2 || target !== null;
  const at = threshold === null || Number.isFinite(threshold) ? threshold : threshold > 0 ? "inf" : "-inf";
  return { threshold: parted ? at : null, target };
}

export function confusionQuestion(state: Seen, about: About, threshold: number | null): Question {
  const { shares, interval, level, asked } = state.matrix;
  return { kind: "confusion", data: dataSection(state.data), ...askedOf(asked, "confusion"), ...decision(state, about, threshold), shares, interval, level };
}

export function cellQuestion(state: Seen, about: About, threshold: number | null, cell: Place): Question {
  return { kind: "cell", data: dataSection(state.data), ...decision(state, about, threshold), ...cell };
}
