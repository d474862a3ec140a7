// A chart in words, for those who do not see it, and as rows.
import { counted, numberText, timeText } from "../ui/format";
import { spreadRows } from "./geometry";
import type { Axis, Series } from "./types";

export const MOST_ROWS = 200;

function rangeOf(values: readonly ArrayLike<number>[], dates = false): string {
  let [low, high] = [Infinity, -Infinity];
  for (const part of values) {
    for (let i = 0; i < part.length; i++) {
      const value = part[i]!;
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  return low > high ? "no values" : dates ? `${timeText(low)} to ${timeText(high)}` : `${numberText(low)} to ${numberText(high)}`;
}

export function described({ series, x, y, right }: { series: readonly Series[]; x: Axis; y: Axis; right?: Axis | undefined }): string {
  const shown = series.filter((one) => !one.guide);
  const onRight = shown.filter((one) => one.axis === "right");
  const across = x.names ? counted(x.names.length, "category", "categories") : rangeOf(shown.map((one) => one.x), x.dates);
  const parts = [
    `Horizontal axis: ${x.title}, ${across}.`,
    `Vertical axis: ${y.title}, ${rangeOf(shown.filter((one) => one.axis !== "right").map((one) => one.y), y.dates)}.`,
    ...(right ? [`Right axis: ${right.title}, ${rangeOf(onRight.map((one) => one.y))}.`] : []),
    `${counted(shown.length, "series", "series")}${shown.length ? `: ${shown.slice(0, 12).map((one) => one.name).join(", ")}${shown.length > 12 ? " and others" : ""}` : ""}.`,
  ];
  return parts.join(" ");
}

export interface Row {
  series: Series;
  place: number;
}

// The points of all series, at most `MOST_ROWS` of them, evenly spread.
export function rowsOf(series: readonly Series[], most = MOST_ROWS): { rows: Row[]; total: number } {
  const every = series.filter((one) => !one.guide);
  const total = every.reduce((sum, one) => sum + one.x.length, 0);
  const rows: Row[] = [];
  let [which, before] = [0, 0];
  for (const at of spreadRows(total, most)) {
    while (at - before >= every[which]!.x.length) before += every[which++]!.x.length;
    rows.push({ series: every[which]!, place: at - before });
  }
  return { rows, total };
}

export interface TableColumn {
  title: string;
  value: (row: Row) => number | string | null;
}

export function columnsOf({ series, x, y, right }: { series: readonly Series[]; x: Axis; y: Axis; right?: Axis | undefined }): TableColumn[] {
  const every = series.filter((one) => !one.guide);
  const has = (key: "x1" | "low" | "high" | "threshold" | "size") => every.some((one) => one[key] !== undefined) && !(key === "x1" && x.names);
  const of = (key: "x1" | "low" | "high" | "threshold" | "size") => ({ series: one, place }: Row) => one[key]?.[place] ?? null;
  const on = (which: "left" | "right") => ({ series: one, place }: Row) => ((one.axis ?? "left") === which ? one.y[place]! : null);
  const dated = (value: (row: Row) => number | null) => (row: Row) => {
    const days = value(row);
    return days === null ? null : timeText(days);
  };
  const swept = x.title === "threshold";
  return [
    ...(every.length > 1 ? [{ title: "series", value: (row: Row) => row.series.name }] : []),
    { title: has("x1") ? `${x.title}, from` : x.title, value: ({ series: one, place }) => x.names?.[Math.round(one.x[place]!)] ?? (x.dates ? timeText(one.x[place]!) : one.x[place]!) },
    ...(has("x1") ? [{ title: `${x.title}, to`, value: x.dates ? dated(of("x1")) : of("x1") }] : []),
    { title: y.title, value: y.dates ? dated(on("left")) : on("left") },
    ...(right ? [{ title: right.title, value: on("right") }] : []),
    ...(has("low") ? [{ title: "low", value: of("low") }] : []),
    ...(has("high") ? [{ title: "high", value: of("high") }] : []),
    ...(has("size") ? [{ title: "size", value: of("size") }] : []),
    ...(has("threshold") && !swept ? [{ title: "threshold", value: of("threshold") }] : []),
  ];
}

// All points as text that a spreadsheet takes; a cell never begins like one of its formulas.
export function tabSeparated(columns: readonly TableColumn[], rows: readonly Row[]): string {
  const cell = (value: number | string | null): string => {
    if (value === null || (typeof value === "number" && Number.isNaN(value))) return "";
    if (typeof value === "number") return String(value);
    const text = value.replace(/[\t\r\n]+/g, " ");
    return /^[=+\-@]/.test(text) ? `'${text}` : text;
  };
  const lines = [columns.map((column) => cell(column.title)), ...rows.map((row) => columns.map((column) => cell(column.value(row))))];
  return `${lines.map((line) => line.join("\t")).join("\n")}\n`;
}
