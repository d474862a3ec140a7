// What a chart is told; everything is in the units of the data.
export interface Series {
  id: string;
  name: string;
  color: number; // 0..7, a place in the palette (--pl-line1 ... --pl-line8)
  x: Float64Array;
  y: Float64Array;
  x1?: Float64Array; // bars: from x to x1
  low?: Float64Array; // a band around y
  high?: Float64Array;
  threshold?: Float64Array; // of every point: the shared cursor can stand on this series
  path?: { x: Float64Array; y: Float64Array }; // the line to draw where points are not joined straight
  size?: Float64Array; // of points: weights, drawn as areas
  style?: "line" | "step" | "points" | "line+points" | "bars";
  dash?: "solid" | "dashed" | "dotted";
  axis?: "left" | "right";
  muted?: boolean; // context, not subject: thin and grey
}

export type Mark =
  | { kind: "rule"; axis: "x" | "y"; at: number; label?: string }
  | { kind: "region"; axis: "x" | "y"; from: number; to: number; label?: string }
  | { kind: "segment"; x: [number, number]; y: [number, number]; label?: string; dash?: Series["dash"] }
  | { kind: "point"; x: number; y: number; label?: string };

export interface Axis {
  title: string;
  scale?: "linear" | "normal-deviate" | "logit";
  domain?: [number, number]; // else what the series need
  names?: string[]; // categories: the numbers are their places
}

export interface ChartProps {
  label: string; // what a screen reader calls it
  series: Series[];
  x: Axis;
  y: Axis;
  right?: Axis;
  square?: boolean;
  marks?: Mark[];
  height?: number;
  cursor?: boolean; // marks the shared threshold on series that have thresholds, and moves it
  between?: { low: number; high: number; onMove: (low: number, high: number, done: boolean) => void };
  table?: boolean; // "Show as table" below it; default true
  legend?: boolean; // default: where there are several series
}
