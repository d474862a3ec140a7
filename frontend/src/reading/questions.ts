// What is asked about the curve in sight: its settings are those of its answer and its rows those of
// its question, so that a reading never belongs to another curve, whatever the panels say by now.
import type { About, CurveAnswer } from "../answers";
import { type Unit, unitOf } from "../cursor";
import type { Question } from "../host";
import { thresholdTold } from "./answers";
import { pairOf, type ReadingState } from "./state";

// The curve in sight.
export interface Shown {
  answer: CurveAnswer;
  data: Record<string, unknown>; // the rows it was drawn of
  unit: Unit; // what its thresholds are of
  models: string[]; // that it was drawn of
}

export function shownOf(answer: CurveAnswer, question: Question, about: About): Shown {
  const data = (question.data ?? {}) as Record<string, unknown>;
  return { answer, data, unit: unitOf(answer.settings.sort_by, data.target), models: (data.models as string[] | null | undefined) ?? about.models };
}

// Readings need no band, and shall not wait for one.
const sections = ({ answer, data }: Shown) => ({ data, curve: { ...answer.settings, band: "none" } });

export const readingQuestion = (shown: Shown, threshold: number | null): Question => ({ kind: "reading", ...sections(shown), threshold: thresholdTold(threshold) });

export function optimumQuestion(shown: Shown, reading: ReadingState): Question | null {
  if (reading.optimum === null) return null;
  return { kind: "optimum", ...sections(shown), goal: reading.optimum, y: reading.measure, subject_to: reading.subject_to.trim() || null };
}

export const isoQuestion = (shown: Shown, reading: ReadingState): Question | null => (reading.iso_cost === null ? null : { kind: "iso-cost", ...sections(shown), ...reading.iso_cost });

// The two cursors, where they are of what the curve is sorted by.
export const endsOf = ({ unit }: Shown, reading: ReadingState): [number, number] | null => (reading.between_of === unit ? pairOf<number>(reading.between, "number") : null);

// Whose cases are shown: the model that was chosen, as long as the curve is drawn of it.
export const caseModel = ({ models }: Shown, { cases_of }: ReadingState): string | null => (cases_of !== null && models.includes(cases_of) ? cases_of : (models[0] ?? null));

export function casesQuestion(shown: Shown, reading: ReadingState): Question | null {
  const ends = endsOf(shown, reading);
  return ends === null ? null : { kind: "cases", ...sections(shown), low: thresholdTold(ends[0]), high: thresholdTold(ends[1]), model: caseModel(shown, reading) };
}

// The two models to compare: those that were chosen, as long as the curve is drawn of both.
export function comparedModels({ models }: Shown, reading: ReadingState): [string, string] | null {
  const pair = pairOf<string>(reading.difference, "string");
  if (pair !== null && pair.every((model) => models.includes(model))) return pair;
  return models.length > 1 ? [models[0]!, models[1]!] : null;
}

export function differenceQuestion(shown: Shown, reading: ReadingState): Question | null {
  const models = comparedModels(shown, reading);
  if (reading.difference === null || models === null || models[0] === models[1]) return null;
  return { kind: "difference", ...sections(shown), models };
}

export const subgroupsQuestion = (shown: Shown, reading: ReadingState): Question | null => (reading.subgroups === null ? null : { kind: "subgroups", ...sections(shown), by: reading.subgroups });
