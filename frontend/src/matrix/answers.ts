// The answers of the room of the confusion matrix; their keys are those of `plumbline confusion --json`.
import type { Presentation } from "../ui/Presentation";
export interface RateLine {
  name: string;
  title: string;
  aliases: string[];
  group: string;
  kind: "class" | "micro" | "macro" | "weighted" | "all";
  value: number | null;
  low: number | null;
  high: number | null;
  method: string | null;
  n: number | null;
  reason: string | null;
}

export interface MatrixEntry {
  model: string | null;
  n: number;
  effective_n: number;
  classes: string[];
  positive: string;
  threshold: number | null;
  target: string | null;
  decision: string;
  matrix: Float64Array[]; // rows are actual classes
  shares: Float64Array[] | null;
  sums: { actual: Float64Array; predicted: Float64Array; all: number };
  interval: string | null;
  level: number | null;
  resamples: number | null;
  rates: RateLine[];
  remarks: string[]; // what to know about the rates
  confused: { actual: string; predicted: string; count: number; share: number | null }[];
}

export interface ConfusionAnswer {
  range: { low: number; high: number } | null;
  usual: number | null; // the threshold of ratings where none is named
  weighted: boolean; // whether rows have weights, which the cells then count
  results: MatrixEntry[];
}

export interface CellAnswer {
  model: string | null;
  actual: string;
  predicted: string;
  decision: string;
  count: number;
  weight: number;
  shown: number;
  presentation: Presentation;
  columns: { name: string; kind: "number" | "text"; values: Float64Array | (string | null)[] }[];
}
