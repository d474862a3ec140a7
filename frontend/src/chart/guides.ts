import type { Guide } from "../answers";
import type { Series } from "./types";

export type { Guide };

// The reference lines of a curve as series of a chart.
export const guideSeries = (guides: readonly Guide[]): Series[] =>
  guides.map(({ label, x, y, second }, place) => ({ id: `guide ${place}`, name: label ?? "", color: 0, x, y, guide: true, ...(second ? { dash: "dotted" as const } : {}) }));
