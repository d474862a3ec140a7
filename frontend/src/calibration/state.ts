// What the calibration room says: what is measured, which sections are open, and what they ask.
import type { Asked } from "../requests";

export interface CalibrationState {
  model: string | null; // the one shown large; null: the first chosen
  view: string | null; // null: the usual one of the table
  scheme: string;
  bins: number; // of the schemes that have a number
  least: number | null; // fewest rows in a bin
  distance: string;
  resamples: number;
  axis: "probability" | "log-odds"; // of the diagram
  others: boolean; // whether the other models stand in the diagram, in grey
  statistic: string;
  open: string[]; // sections
  by: string | null; // attribute of the groups
  window: string | null; // attribute of the windows of time
  reference: number | null; // first windows that later ones are compared with; null: with calibration
  worst: boolean; // whether the worst slice is searched
  effect: string;
  sizes: Record<string, number>; // of an effect, where it is not the usual one
  power: number;
  level: number;
  n: number | null;
  planStatistic: string;
  datasets: number | null; // null: the usual number
  method: string;
  asked: Asked; // of controls that follow from the row of their request
}

export const calibrationDefaults: CalibrationState = {
  model: null,
  view: null,
  scheme: "equal-width",
  bins: 15,
  least: null,
  distance: "absolute",
  resamples: 999,
  axis: "probability",
  others: false,
  statistic: "omnibus",
  open: [],
  by: null,
  window: null,
  reference: 1,
  worst: false,
  effect: "overconfident",
  sizes: {},
  power: 0.8,
  level: 0.05,
  n: null,
  planStatistic: "omnibus",
  datasets: null,
  method: "auto",
  asked: {},
};
