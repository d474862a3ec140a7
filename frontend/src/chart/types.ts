// What a chart is told; everything is in the units of the data.
import type { Unit } from "../cursor";

export interface Series {
  id: string;
  name: string;
  color: number; // its place in the palette: 0..7 are colours (--pl-line1 ... --pl-line8), each with a dash and a marker; beyond them the colours come again with other dashes
  x: Float64Array;
  y: Float64Array;
  x1?: Float64Array; // bars: from x to x1
  base?: Float64Array; // bars: where each begins, so that they stand on each other; y is still how long it is
  low?: Float64Array; // a band around y; whiskers where the style is points or bars
  high?: Float64Array;
  threshold?: Float64Array; // of every point: the shared cursor can stand on this series
  ends?: boolean; // undefined below its lowest threshold, down to where else the last state lasts
  path?: { x: Float64Array; y: Float64Array }; // the line to draw where points are not joined straight
  accepted?: Float64Array; // of every point: the rows at or above its threshold, of `rows`
  rows?: number;
  density?: Float64Array; // of every point: the rows near it, drawn as an area along the bottom
  size?: Float64Array; // of points: weights, drawn as areas
  style?: "line" | "step" | "points" | "line+points" | "bars";
  dash?: "solid" | "dashed" | "dotted" | "long" | "dash-dot-dot"; // else that of its place in the palette
  axis?: "left" | "right";
  muted?: boolean; // context, not subject: thin and grey
  tint?: boolean; // context in the colour of its series
  thin?: boolean; // one of many alike (folds): thin, without markers
  guide?: boolean; // a reference line: grey and dashed, named on the line instead of in the legend, never under the cursor
}

export type Mark =
  | { kind: "rule"; axis: "x" | "y"; at: number; label?: string }
  | { kind: "region"; axis: "x" | "y"; from: number; to: number; label?: string }
  | { kind: "stretch"; x: Float64Array; y: Float64Array; label?: string; color?: number; step?: boolean } // a part of a line, thick
  | { kind: "segment"; x: [number, number]; y: [number, number]; label?: string; dash?: Series["dash"] }
  | { kind: "point"; x: number; y: number; label?: string };

export interface Axis {
  title: string;
  scale?: "linear" | "normal-deviate" | "logit";
  domain?: [number, number]; // else what the series need
  names?: string[]; // categories: the numbers are their places
  dates?: boolean; // the numbers are days since the beginning of 1970
  floor?: number; // values below need not be shown
  ends?: [boolean, boolean]; // whether something is at 0, and at 1, that has no place between
  whole?: boolean; // counts: no tick between whole numbers
  zero?: boolean; // begin at 0 where no value is below (bars do so anyway)
}

// A range of thresholds where series have them, else of x.
export interface Brush {
  label: string; // of the button that selects
  range: [number, number] | null;
  usual?: () => [number, number]; // what the keyboard begins with; else the middle half of the axis
  onRange: (range: [number, number] | null) => void;
}

export interface ChartProps {
  label: string; // what a screen reader calls it
  series: Series[];
  x: Axis;
  y: Axis;
  right?: Axis;
  square?: boolean; // the sides are equal; both axes hold 0 to 1 where they have no domain
  column?: boolean; // one of several below each other: as wide as a square one, from the same left edge
  marks?: Mark[];
  height?: number; // of the whole chart in pixels, without legend and table
  cursor?: boolean; // marks the shared threshold on series that have thresholds, and moves it
  brush?: Brush; // a range that is selected by dragging
  usual?: number | undefined; // where the cursor stands as long as no threshold was chosen
  unit?: Unit; // what the thresholds are of: charts of one unit share the cursor
  // Two handles: at thresholds where the series have them, else at values of x.
  between?: { low: number; high: number; onMove: (low: number, high: number, done: boolean, again: boolean) => void };
  table?: boolean; // "Show as table" below it; default true
  tools?: boolean; // zoom and full screen; default where there is a table
  legend?: boolean; // default: where there are several series
}
