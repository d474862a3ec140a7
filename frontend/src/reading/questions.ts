// What is asked about the curve that is drawn: its settings are those of its answer, so that a reading
// never belongs to another curve than the one in sight.
import type { CurveAnswer } from "../answers";
import type { DataState } from "../data/state";
import type { Question } from "../host";
import { dataSection } from "../questions";
import { usePart } from "../store";
import { thresholdTold } from "./answers";
import { pairOf, type ReadingState } from "./state";

type Sections = { data: Record<string, unknown>; curve: Record<string, unknown> };

const sections = (data: DataState, answer: CurveAnswer): Sections => ({ data: dataSection(data), curve: answer.settings });

export const readingQuestion = (of: Sections, threshold: number | null): Question => ({ kind: "reading", ...of, threshold: thresholdTold(threshold) });

export function optimumQuestion(of: Sections, reading: ReadingState): Question | null {
  if (reading.optimum === null) return null;
  return { kind: "optimum", ...of, goal: reading.optimum, y: reading.measure, subject_to: reading.subject_to.trim() || null };
}

export const isoQuestion = (of: Sections, reading: ReadingState): Question | null => (reading.iso_cost === null ? null : { kind: "iso-cost", ...of, ...reading.iso_cost });

export function casesQuestion(of: Sections, reading: ReadingState): Question | null {
  const ends = pairOf<number>(reading.between, "number");
  return ends === null ? null : { kind: "cases", ...of, low: thresholdTold(ends[0]), high: thresholdTold(ends[1]), model: reading.cases_of };
}

export function differenceQuestion(of: Sections, reading: ReadingState): Question | null {
  const models = pairOf<string>(reading.difference, "string");
  return models === null ? null : { kind: "difference", ...of, models };
}

export const subgroupsQuestion = (of: Sections, reading: ReadingState): Question | null => (reading.subgroups === null ? null : { kind: "subgroups", ...of, by: reading.subgroups });

export function useSections(answer: CurveAnswer): Sections {
  return sections(usePart((state) => state.data), answer);
}
