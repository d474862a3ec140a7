import type { Presentation } from "../ui/Presentation";

// The answers that this room asks for. A threshold may be "inf" or "-inf", for JSON has no such numbers.
export type Threshold = number | "inf" | "-inf" | null;

export interface Rate {
  name: string;
  title: string;
  value: number | null;
  low: number | null;
  high: number | null;
  reason: string | null;
}

export interface ReadLine {
  model: string | null;
  fold: string | null;
  target: string | null;
  x: number | null;
  y: number | null;
  ends: boolean; // the curve is undefined below the last of its thresholds
  TP: number | null;
  FP: number | null;
  TN: number | null;
  FN: number | null;
  P: number | null;
  accepted_share: number | null;
  classes?: { positive: string; negative: string };
  rates: Rate[];
  presentation: Presentation;
}

export interface ReadingAnswer {
  threshold: Threshold;
  sort_by: string | null;
  probability: boolean;
  low: number | null;
  high: number | null;
  reason: string | null;
  roc: boolean;
  x_title: string;
  y_title: string;
  lines: ReadLine[];
}

export interface Stretch {
  low: Threshold;
  high: Threshold;
  x: Float64Array;
  y: Float64Array;
}

export interface Best {
  model: string | null;
  y: string;
  value: number | null;
  value_at_half: number | null;
  gain: number | null;
  honest_value: number | null;
  optimism: number | null;
  plateau_share: number | null;
  level: number;
  verdict: string;
  reason?: string;
  notes: string[];
  point: { threshold: Threshold; x: number | null; y: number | null };
  stretches: Stretch[];
}

export interface OptimumAnswer {
  y: string;
  goal: "max" | "min";
  results: Best[];
}

export interface IsoLine {
  presentation: Presentation;
  model: string | null;
  fold: string | null;
  target: string | null;
  reason: string | null;
  slope?: number | null;
  threshold?: Threshold;
  x?: number;
  y?: number;
  cost?: number;
  ends?: { x: Float64Array; y: Float64Array };
}

export interface Differing {
  attribute: string;
  kind: "category" | "number";
  date: boolean; // whether its values are days since 1970
  value: string | null;
  inside: number | null;
  outside: number | null;
  effect: number | null;
  p_adjusted: number | null;
  reason: string | null;
}

export interface CasesAnswer {
  model: string | null;
  sort_by: string;
  low: Threshold;
  high: Threshold;
  n: number;
  inside: Record<string, number>;
  outside: Record<string, number>; // weights
  rows_inside: Record<string, number>;
  rows_outside: Record<string, number>;
  weighted: boolean;
  columns: string[];
  listed: number;
  cases: Record<string, string | number | boolean | null>[];
  differing: Differing[];
  presentation: Presentation;
}

export interface DifferenceAnswer {
  presentation: Presentation;
  title: string;
  models: [string, string];
  verdict: string;
  n: number;
  x_title: string;
  y_title: string;
  x: Float64Array;
  difference: Float64Array;
  low: Float64Array;
  high: Float64Array;
  higher: { low: number; high: number; model: string }[];
}

export interface Group {
  name: string;
  where: string;
  n: number;
  reason: string | null;
  lines: { name: string; model: string | null; fold: string | null; target: string | null; n: number; area: number | null; ends: boolean; threshold: Float64Array; x: Float64Array; y: Float64Array }[];
}

export interface SubgroupsAnswer {
  unit: string; // what the numbers of the groups count: rows or examples
  by: string;
  x_title: string;
  y_title: string;
  x_names: string[];
  area_name: string | null;
  x_domain: [number, number] | null;
  y_domain: [number, number] | null;
  groups: Group[];
}

export const thresholdNumber = (told: Threshold | undefined): number | null => (told === "inf" ? Infinity : told === "-inf" ? -Infinity : (told ?? null));
export const thresholdTold = (value: number | null): Threshold => (value === Infinity ? "inf" : value === -Infinity ? "-inf" : value);
