// What the overview says: whose cards and lines are shown, and what decisions pay.
export interface Payoffs {
  TP: number;
  FP: number;
  FN: number;
  TN: number;
}

import { distributionDefaults, type DistributionState } from "./distribution";

export interface OverviewState {
  models: string[] | null; // of those chosen in the data panel; null: the first few
  payoffs: Payoffs; // of one row of each cell
  amount: string | null; // the column that every payoff is multiplied by
  distribution: DistributionState;
}

export const overviewDefaults: OverviewState = {
  models: null,
  payoffs: { TP: 1, FP: -1, FN: 0, TN: 0 },
  amount: null,
  distribution: distributionDefaults,
};
