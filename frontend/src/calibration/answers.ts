// The answers to the questions about calibration.
import type { Presentation } from "../ui/Presentation";

// What an axis of a diagram shows, and whether something is at 0 and at 1, which have no log-odds.
export interface DiagramSide {
  domain: [number, number];
  ends: [boolean, boolean];
}

export type DiagramAxis = "probability" | "log-odds";

export interface CurveColumns {
  axes: Record<DiagramAxis, { x: DiagramSide; y: DiagramSide }>;
  view: string;
  scheme: string;
  x_title: string;
  y_title: string;
  level: number;
  value: number | null;
  n: number;
  lo: Float64Array;
  hi: Float64Array;
  count: Float64Array;
  weight: Float64Array;
  mean_probability: Float64Array;
  outcome_share: Float64Array;
  band_low: Float64Array;
  band_high: Float64Array;
  lowest: Float64Array; // of the scores in a bin
  highest: Float64Array;
}

export interface NullBars {
  scale: "linear" | "powers of ten";
  counts: Float64Array;
  edges: Float64Array;
  value: number | null;
  low: number | null;
  high: number | null;
  texts: string[];
}

export interface BinRow {
  class?: string;
  lo: number;
  hi: number;
  count: number;
  weight: number;
  mean_probability: number;
  outcome_share: number;
}

export interface ErrorAnswer {
  model: string | null;
  view: string;
  scheme: string;
  distance: string;
  n: number;
  effective_n: number;
  value: number | null; // null: infinite, see `reason`
  null_mean: number | null;
  null_range: [number | null, number | null];
  excess: number | null;
  p_value: number | null;
  resamples: number;
  bins: BinRow[] | null;
  impossible_rows: number;
  reason?: string;
  histogram: NullBars | null;
  curve: CurveColumns | null;
  why_no_curve: string | null;
  presentation: Presentation;
}

export interface ReliabilityAnswer {
  shown: string | null;
  models: ErrorAnswer[];
}

export interface TestOfModel {
  model: string | null;
  statistic: string;
  view: string;
  value: number | null;
  p_value: number | null;
  p_bounds: [number, number] | null;
  null: string;
  method: string;
  resamples: number;
  reason?: string;
  title: string;
  formula: string;
  source: string;
  presentation: Presentation;
  own_notes: string[]; // that are about this model alone
  histogram: NullBars | null;
}

export interface TestAnswer {
  shown: string | null;
  models: TestOfModel[];
  shared_notes: string[]; // that are about several models
}

export interface DiagnosisAnswer {
  model: string | null;
  view: string;
  n: number;
  speaks: boolean;
  shape: string;
  rival: string | null;
  p_value: number | null;
  evidence: {
    shape: string;
    kind: string;
    class: string | null;
    estimate: number | null;
    low: number | null;
    high: number | null;
    gain: number | null;
    explained: number | null;
    p_value: number | null;
  }[];
  curve: CurveColumns;
  fitted: { score: Float64Array; share: Float64Array };
  presentation: Presentation;
}

export interface GroupRow {
  group: string;
  n: number;
  mean_probability: number | null;
  outcome_share: number | null;
  bias: number | null;
  bias_low: number | null;
  bias_high: number | null;
  bias_p_value: number | null; // of the bias alone
  value: number | null;
  null_mean: number | null;
  p_value: number | null;
  adjusted_p_value: number | null;
  rejected: boolean;
}

export interface GroupsAnswer {
  model: string | null;
  by: string;
  statistic: string;
  level: number;
  groups: GroupRow[];
  columns: { bias: Float64Array; bias_low: Float64Array; bias_high: Float64Array };
  presentation: Presentation;
}

export interface MonitorAnswer {
  model: string | null;
  threshold: number;
  reference: number;
  alarm: number | null;
  since: number | null;
  windows: { name: string; n: number; mean_prediction: number; observed: number; log_loss: number | null; ece: number; null_mean: number | null }[];
  columns: { bias: Float64Array; low: Float64Array; high: Float64Array; power: Float64Array };
  evidence: string[];
  presentation: Presentation;
}

export interface WorstAnswer {
  model: string | null;
  by: string[];
  searched: number;
  p_value: number | null;
  slices: {
    slice: string;
    class?: string;
    n: number;
    mean_probability: number | null;
    outcome_share: number | null;
    bias: number | null;
    z: number | null;
    adjusted_p_value: number | null;
    rejected: boolean;
  }[];
  presentation: Presentation;
}

export interface SensitivityAnswer {
  model: string | null;
  view: string;
  distance: string;
  n: number;
  schemes: {
    name: string;
    bins: Float64Array;
    value: Float64Array;
    null_mean: Float64Array;
    null_low: Float64Array;
    null_high: Float64Array;
    p_value: Float64Array;
  }[];
  presentation: Presentation;
}

export interface PlanAnswer {
  model: string | null;
  n: number | null;
  effect: string;
  level: number;
  power: number;
  test: string;
  n_needed: number | null;
  n_needed_std_error: number | null;
  power_at_n: number | null;
  power_at_n_std_error: number | null;
  detectable: number | null;
  detectable_std_error: number | null;
  n_limit: number | null;
  tests: { test: string; n: number; power: number; std_error: number; datasets: number }[];
  presentation: Presentation;
  points: { n: Float64Array; power: Float64Array; low: Float64Array; high: Float64Array };
  fitted: { n: Float64Array; power: Float64Array };
}

export interface MethodRow {
  name: string;
  title: string;
  text: string;
  order: string;
  source: string;
  why_not: string | null;
}

export interface Advised {
  method: string;
  title: string;
  log_loss: number | null;
  log_loss_difference: number | null;
  log_loss_range: [number | null, number | null];
  brier_score: number | null;
  roc_auc_after: number | null;
  p_value: number | null;
  ties_created: number | null;
  helps: boolean;
  reason?: string;
}

export interface ScoreChange {
  metric: string;
  title: string;
  before: number | null;
  after: number | null;
  difference: number | null;
  interval_range: [number | null, number | null];
  p_value: number | null;
  better: string | null;
  null_before: number | null;
  null_after: number | null;
  reason?: string;
}

export interface RecalibrationAnswer {
  model: string | null;
  n: number;
  methods: MethodRow[];
  method?: string;
  seconds?: number;
  tried?: boolean;
  notes?: string[];
  legend?: string[];
  lines?: { shell: string; python: string; left_out: string[] };
  advice?: { chosen: string; presentation: Presentation; methods: Advised[]; log_loss_before: number | null; parts: number } | null;
  effect?: { method: string; n: number; changes: ScoreChange[]; test_before: number | null; test_after: number | null; presentation: Presentation } | null;
  reason?: string | null;
  before?: CurveColumns | null;
  after?: CurveColumns | null;
  map?: { method: string; n: number; parameters: number; x_title: string; y_title: string; note: string | null; lines: { name: string; x: Float64Array; y: Float64Array }[] } | null;
}
