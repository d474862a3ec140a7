// What the curve panel says: the section `curve` of a question, whose names are those of the
// settings of a curve in Python.
export interface CurveState {
  preset: string | null;
  x: string | null; // null: the preset's
  y: string | null;
  y2: string | null; // a second y on the right axis, beside the section in a question
  y2_title: string | null;
  sort_by: string | null;
  direction: "descending" | "ascending" | "unsorted" | null; // null: the preset's, else the default
  merge: "last" | "average" | "none" | null;
  average: "merge" | "none" | "vertical" | "threshold" | "smooth" | null;
  points: number | null;
  thresholds: number | null;
  span: number | null;
  band: "none" | "folds" | "bootstrap";
  level: number | null; // of the bootstrap's band
  resamples: number | null;
  multiclass: "per-class" | "micro" | "macro" | null;
  x_title: string | null;
  y_title: string | null;
  params: Record<string, number>;
  hull: boolean;
}

export const curveDefaults: CurveState = {
  preset: "roc",
  x: null,
  y: null,
  y2: null,
  y2_title: null,
  sort_by: null,
  direction: null,
  merge: null,
  average: null,
  points: null,
  thresholds: null,
  span: null,
  band: "none",
  level: null,
  resamples: null,
  multiclass: null,
  x_title: null,
  y_title: null,
  params: {},
  hull: false,
};
