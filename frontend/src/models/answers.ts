// The answers of the Models room; their keys are those of `plumbline scores` and `compare` --json.
import type { Presentation } from "../ui/Presentation";

export type Span = [number | null, number | null];

export interface MetricAbout {
  name: string;
  title: string;
  better: string;
  best: string; // in words: which values are good
  formula: string;
}

export interface Measured {
  metric: string;
  view?: string;
  scheme?: string | null;
  value: number | null;
  null_mean?: number | null;
  null_range?: Span;
  p_value?: number | null;
  reason?: string;
}

export interface ScoreLine {
  model: string | null;
  n: number;
  effective_n: number;
  folds: number;
  impossible_rows: number | null;
  metrics: Measured[];
  roc_auc?: { interval_range: Span | null; level: number; reason?: string; method?: string };
  [score: string]: unknown; // log_loss_fold_mean, log_loss_fold_deviation, ...
}

export interface ScoresAnswer {
  metrics: MetricAbout[];
  resamples: number;
  level: number;
  legend: string[]; // what the ranges below the numbers mean
  results: ScoreLine[];
}

export interface PairLine {
  models: [string, string];
  n: number;
  units: number;
  metric: string;
  target: string | null;
  after: string | null;
  test: string;
  values: Span;
  difference: number | null;
  interval_range: Span;
  p_value: number | null;
  adjusted_p_value: number | null;
  effect: string;
  effect_size: number | null;
  better: string | null;
  practically_equal: boolean | null;
  posterior: Record<string, number> | null;
  verdict: string;
  method: string;
  reason?: string;
}

export interface RankLine {
  models: string[];
  n: number;
  average_ranks: number[];
  p_value: number | null;
  critical_difference: number | null;
  groups: string[][];
  presentation: Presentation;
}

export interface TestAbout {
  name: string;
  title: string;
  answer: "fits" | "too optimistic" | "refused";
  why: string;
}

export interface CompareAnswer {
  models: string[];
  design: string;
  why: string;
  level: number;
  adjust: string | null;
  pairs: PairLine[];
  ranks: Record<string, RankLine>;
  remarks: string[];
  tests: TestAbout[];
}

export interface ComparableAnswer {
  metrics: { name: string; title: string; kind: string; best: string; of_one_class: boolean }[];
  usual: string;
  design: { name: string; shape: string };
  tests: (TestAbout & { instead: string })[];
  attributes: string[];
}
