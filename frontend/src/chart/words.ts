// What a point says of itself.
import { counted, numberText, timeText } from "../ui/format";
import { shortened } from "./frame";
import type { Drawn } from "./picture";
import type { Axis } from "./types";

export interface Titles {
  x: Axis;
  y: Axis;
  right?: Axis | undefined;
}

const LONGEST = 34;
const THREE = 3;

// A point's values, one a line: the threshold first, for that is what is chosen.
export function linesOf(one: Drawn, place: number, titles: Titles): string[] {
  const { series } = one;
  const axis = series.axis === "right" && titles.right ? titles.right : titles.y;
  const named = (title: string, value: number, dates = false) => `${shortened(title, LONGEST)} ${dates ? timeText(value) : numberText(value, THREE)}`;
  const along = (value: number) => (titles.x.dates ? timeText(value) : numberText(value, THREE));
  const across = titles.x.names ? [titles.x.names[Math.round(series.x[place]!)] ?? ""] : series.x1 ? [`${shortened(titles.x.title, LONGEST)} ${along(series.x[place]!)} to ${along(series.x1[place]!)}`] : [named(titles.x.title, series.x[place]!, titles.x.dates)];
  const threshold = series.threshold?.[place];
  const swept = titles.x.title === "threshold";
  const [low, high] = [series.low?.[place], series.high?.[place]];
  return [
    ...(threshold !== undefined && !Number.isNaN(threshold) && !swept ? [named("threshold", threshold)] : []),
    ...across,
    named(axis.title, series.y[place]!, axis.dates),
    ...(series.accepted && series.rows !== undefined ? [acceptedText(series.accepted[place]!, series.rows)] : []),
    ...(series.density ? [`${rowsText(series.density[place]!)} nearest here`] : []),
    ...(series.size ? [rowsText(series.size[place]!)] : []),
    ...(low !== undefined && high !== undefined && Number.isFinite(low + high) ? [`between ${numberText(low, THREE)} and ${numberText(high, THREE)}`] : []),
  ];
}

// A point's weight: rows, unless rows weigh differently.
const rowsText = (weight: number): string => (Number.isInteger(weight) ? counted(weight, "row") : `weight ${numberText(weight, THREE)}`);

const acceptedText = (accepted: number, rows: number): string => (Number.isInteger(accepted) ? `accepts ${numberText(accepted)} of ${counted(rows, "row")}` : `accepts weight ${numberText(accepted)} of ${numberText(rows)}`);
