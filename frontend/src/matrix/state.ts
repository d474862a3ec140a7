// What the room of the confusion matrix shows; its threshold is the shared one.
import type { Asked } from "../requests";

export interface Place {
  model: string | null;
  actual: string;
  predicted: string;
}

export interface MatrixState {
  against: boolean; // more than two classes: one of them against the rest
  shares: "none" | "actual" | "predicted" | "all";
  interval: "auto" | "wilson" | "bootstrap" | "none";
  level: number;
  cell: Place | null; // whose rows are listed
  asked: Asked; // of controls that follow from the row of their request
}

export const matrixDefaults: MatrixState = { against: false, shares: "none", interval: "auto", level: 0.95, cell: null, asked: {} };
