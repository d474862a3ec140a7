// Over what the classes are shown, and the question that counts them.
import type { About } from "../answers";
import type { DataState } from "../data/state";
import type { Question } from "../host";
import { dataSection } from "../questions";

export interface DistributionState {
  by: string | null; // null: the predictions, else the first attribute
  bins: number | null; // null: those of the library
  share: boolean; // shares of the classes instead of rows
}

export const distributionDefaults: DistributionState = { by: null, bins: null, share: false };

const MOST_BARS = 60; // categories that still are a picture

// What there is to choose from: the predictions, and the attributes that have few values or an order.
export function groupable(about: About): string[] {
  const attributes = about.attributes.filter((one) => one.kind !== "category" || (one.distinct ?? 0) <= MOST_BARS).map((one) => one.name);
  const predicted = about.has_prob ? "probability" : about.has_score ? "score" : null;
  return predicted === null || attributes.includes(predicted) ? attributes : [predicted, ...attributes];
}

// What is shown; null where there is nothing to show.
export function distributionOf(about: About, state: DistributionState): (DistributionState & { by: string }) | null {
  const names = groupable(about);
  const by = state.by !== null && names.includes(state.by) ? state.by : names[0];
  return by === undefined ? null : { ...state, by };
}

export const distributionQuestion = (data: DataState, { by, bins }: { by: string; bins: number | null }, model: string | null): Question => ({ kind: "class-counts", data: dataSection(data), model, by, bins });
