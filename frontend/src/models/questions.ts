// The questions of the Models room.
import type { About } from "../answers";
import type { Question } from "../host";
import { dataSection } from "../questions";
import { askedOf } from "../requests";
import type { State } from "../state";
import type { CompareAnswer } from "./answers";

const RESAMPLES = 999;
export const AT_ONCE = 200_000; // rows up to which chance is computed unasked

export const rangesShown = (state: Pick<State, "models">, about: About): boolean => state.models.ranges ?? about.rows <= AT_ONCE;

export function scoresQuestion(state: Pick<State, "data" | "models">, about: About): Question {
  const { bins, view, level } = state.models;
  return {
    kind: "scores",
    data: dataSection(state.data),
    ...askedOf(state.models.asked, "scores"),
    ...(bins ? { bins } : {}),
    ...(view ? { view } : {}),
    level,
    resamples: rangesShown(state, about) ? RESAMPLES : 0,
  };
}

// Which rows of a model the answer is about, in words.
export function rowsSaid(question: Question): string {
  const { where, folds } = question["data"] as { where?: string | null; folds?: string[] | null };
  if (where && folds) return "the rows that folds and filter leave";
  if (where) return "the rows that the filter leaves";
  return folds ? "the rows of the chosen folds" : "all rows";
}

export function compareQuestion(state: Pick<State, "data" | "models">, ofOneClass: boolean, k: number): Question {
  const { metric, pair, test, over, after, rope, test_share, adjust, level } = state.models;
  const target = k > 2 && ofOneClass ? state.data.target : null;
  return {
    kind: "compare",
    data: dataSection(state.data),
    ...askedOf(state.models.asked, "compare"),
    ...(metric ? { metric } : {}),
    ...(pair ? { models: pair } : {}),
    ...(test ? { test } : {}),
    ...(over ? { over } : {}),
    ...(after ? { after } : {}),
    ...(rope !== null ? { rope } : {}),
    ...(test_share !== null ? { test_share } : {}),
    ...(target ? { target } : {}),
    adjust,
    level,
  };
}

export const comparableQuestion = (state: Pick<State, "data" | "models">): Question => ({
  kind: "comparable",
  data: dataSection(state.data),
  ...(state.models.over ? { over: state.models.over } : {}),
});

// The model that a comparison shows to be better than every other, by metric; most have none.
export function bestOf(answer: CompareAnswer): Record<string, string> {
  const found: Record<string, string> = {};
  for (const metric of new Set(answer.pairs.map((pair) => pair.metric))) {
    const pairs = answer.pairs.filter((pair) => pair.metric === metric && !pair.after);
    const best = answer.models.find((model) => {
      const own = pairs.filter((pair) => pair.models.includes(model));
      return own.length === answer.models.length - 1 && own.every((pair) => pair.better === model);
    });
    if (best !== undefined) found[metric] = best;
  }
  return found;
}
