// What the Models room asks: how scores are measured, and how models are compared.
import type { Asked } from "../requests";

export interface ModelsState {
  bins: string; // of the calibration error; empty: the library's usual ones
  view: string;
  ranges: boolean | null; // what is expected if calibrated; null: where the rows are few enough
  metric: string | null; // null: what the library compares by
  pair: [string, string] | null; // null: every pair
  test: string | null; // null: what fits best
  over: string; // the attribute that tells data sets apart
  after: string; // a recalibration method
  rope: number | null;
  test_share: number | null;
  adjust: string;
  level: number;
  asked: Asked; // of controls that follow from the row of their request
}

export const modelsDefaults: ModelsState = {
  bins: "",
  view: "",
  ranges: null,
  metric: null,
  pair: null,
  test: null,
  over: "",
  after: "",
  rope: null,
  test_share: null,
  adjust: "holm",
  level: 0.95,
  asked: {},
};
