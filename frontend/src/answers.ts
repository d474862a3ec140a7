// The answers that several rooms read; each room keeps the types of its own beside it.
export interface AttributeAbout {
  name: string;
  kind: "number" | "date" | "truth" | "category"; // of a date low and high are days since 1970
  low?: number | null;
  high?: number | null;
  values?: string[];
  distinct?: number;
}

export interface About {
  name: string;
  read: string | null; // how the table was read, where its columns do not have the names of the prediction table
  n: number; // examples, each counted once however many models predicted it
  rows: number; // of all models, folds and repeats
  k: number;
  classes: { name: string; n: number }[];
  positive: string;
  models: string[];
  folds: string[];
  has_weight: boolean;
  effective_n: number;
  has_prob: boolean;
  has_score: boolean;
  attributes: AttributeAbout[];
  groupable: string[]; // attributes that may say which rows belong together, IDs first
  groups: number | null; // in how many groups the rows of the table are; null: in none
}

export interface CurveLine {
  name: string;
  model: string | null;
  fold: string | null;
  target: string | null;
  n: number;
  positives: number;
  negatives: number;
  points: number;
  dropped: Record<string, number>;
  ends: boolean; // undefined below its lowest threshold, where else the state of all rows lasts
  reason: string | null;
  area: number | null;
  area_range: [number, number] | null; // its interval, of the level of the settings
  area_method: string | null; // how the interval was found
  threshold: Float64Array;
  x: Float64Array;
  y: Float64Array;
  more: Record<string, Float64Array>;
  path?: { x: Float64Array; y: Float64Array };
  hull?: { x: Float64Array; y: Float64Array; threshold: Float64Array };
}

// A reference line; an infinite x is an edge of the chart.
export interface Guide {
  label: string | null;
  x: Float64Array;
  y: Float64Array;
  second: boolean; // of another meaning than the first
}

export interface CurveAnswer {
  title: string;
  described: string;
  x_title: string;
  y_title: string;
  x_names: string[];
  dates?: [boolean, boolean]; // whether x and y are days since the beginning of 1970
  threshold_names: string[];
  settings: Record<string, unknown>;
  notes: string[];
  spread: string | null;
  best: { goal: "max" | "min"; measure: string | null; why: string | null }; // what to look for first
  preset: string | null;
  explanation: string | null;
  shape: "line" | "step" | "pr" | "counts" | "points";
  scale: "linear" | "normal-deviate";
  square: boolean;
  guide: string | null;
  guides: Guide[];
  floor: number | null; // the y below which the lines need not be followed
  lines: CurveLine[];
}
