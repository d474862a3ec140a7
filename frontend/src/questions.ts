// How the state becomes the sections of a question.
import type { CurveState } from "./curves/state";
import type { DataState } from "./data/state";
import type { Question } from "./host";
import type { State } from "./state";

export function dataSection(data: DataState): Record<string, unknown> {
  const { groups, ...rows } = data;
  const where = data.where.trim();
  return { ...rows, where: where || null, ...(groups === null ? {} : { groups }) };
}

export function curveSection(curve: CurveState): Record<string, unknown> {
  const { hull: _hull, y2: _y2, y2_title: _title, ...settings } = curve;
  return settings;
}

export function curveQuestion(state: Pick<State, "data" | "curve">, width: number): Question {
  return {
    kind: "curve",
    data: dataSection(state.data),
    curve: curveSection(state.curve),
    hull: state.curve.hull,
    width,
  };
}
