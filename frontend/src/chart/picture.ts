// Everything about a chart that is known before it is painted: one value, made anew when the data
// or the size change, and read by the canvas, the marks, the cursor and the table.
import { type End, endsOf, roomOf } from "./ends";
import { type Frame, frameOf, type Layout } from "./frame";
import { placed, staircase, stepSide } from "./geometry";
import { type Look, lookOf } from "./look";
import type { Scale } from "./scales";
import { ladderOf, type Points } from "./search";
import { thinned } from "./thin";
import { topsOf } from "./stack";
import type { Series } from "./types";

export interface Drawn extends Points {
  series: Series;
  look: Look;
  y: Scale;
  lineX: Float32Array; // the corners of the line
  lineY: Float32Array;
  right: Float32Array | null; // right ends of bars
  base: Float32Array | null; // lower ends of bars that stand on others
  low: Float32Array | null;
  high: Float32Array | null;
  bandX: Float32Array;
  dodge: number; // pixels by which categories stand beside each other
  ladder: Int32Array; // places of the points with a threshold, falling
  grip: Points | null; // the same points, those without a threshold out of reach
}

const CROWD = 12; // series

export interface Picture {
  frame: Frame;
  drawn: Drawn[];
  several: boolean; // more than one series that is no context
  crowd: boolean; // so many of them that each is thin
  empty: boolean; // none has a point
  ends: End[]; // named beside the plot
  swept: boolean; // x is the threshold: the cursor is a line across
}

export function pictureOf(layout: Layout): Picture {
  const drawnIn = (frame: Frame) => pictureIn(layout.series, frame, layout.x.names !== undefined);
  const plain = drawnIn(frameOf(layout));
  const ends = endsOf(plain);
  if (!ends.length) return plain;
  const beside = drawnIn(frameOf({ ...layout, beside: roomOf(ends) }));
  return { ...beside, ends: endsOf(beside) };
}

export function pictureIn(series: readonly Series[], frame: Frame, categories = false): Picture {
  const subjects = series.filter((one) => !one.guide && !one.muted);
  const drawn = series.map((one) => drawnOf(thinned(one, frame), frame, categories && !one.base ? dodgeOf(one, subjects, frame) : 0));
  const marked = drawn.filter((one) => one.ladder.length > 0);
  return { frame, drawn, ends: [], several: subjects.length > 1, crowd: subjects.length > CROWD, empty: !drawn.some(hasPoint), swept: marked.length > 0 && marked.every((one) => isSwept(one.series)) };
}

function drawnOf(series: Series, frame: Frame, dodge: number): Drawn {
  const y = series.axis === "right" && frame.right2 ? frame.right2 : frame.y;
  const px = placed(series.x, frame.x).map((pixel) => pixel + dodge);
  const py = placed(topsOf(series), y);
  let [low, high]: [Float32Array | null, Float32Array | null] = [series.low ? placed(series.low, y) : null, series.high ? placed(series.high, y) : null];
  let [lineX, lineY, bandX]: [Float32Array, Float32Array, Float32Array] = [px, py, px];
  const side = series.style === "step" ? stepSide(series.x) : null;
  if (series.path) [lineX, lineY] = [placed(series.path.x, frame.x), placed(series.path.y, y)];
  else if (side) {
    [lineX, lineY] = staircase(px, py, side);
    if (low && high) {
      [bandX, low] = staircase(px, low, side);
      [, high] = staircase(px, high, side);
    }
  }
  const ladder = series.threshold && !series.guide ? ladderOf(series.threshold) : new Int32Array();
  return { series, look: lookOf(series), y, px, py, lineX, lineY, right: series.x1 ? placed(series.x1, frame.x) : null, base: series.base ? placed(series.base, y) : null, low, high, bandX, dodge, ladder, grip: gripOf(ladder, { px, py }) };
}

function gripOf(ladder: Int32Array, { px, py }: Points): Points | null {
  if (!ladder.length || ladder.length === px.length) return ladder.length ? { px, py } : null;
  const held = { px: new Float32Array(px.length).fill(NaN), py };
  for (const place of ladder) held.px[place] = px[place]!;
  return held;
}

function dodgeOf(series: Series, subjects: readonly Series[], frame: Frame): number {
  const place = subjects.indexOf(series);
  if (subjects.length < 2 || place < 0) return 0;
  const slot = Math.abs(frame.x.place(1) - frame.x.place(0));
  return (place - (subjects.length - 1) / 2) * Math.min(12, (0.8 * slot) / subjects.length);
}

const hasPoint = ({ series, px, py }: Drawn): boolean => !series.guide && px.some((x, place) => !Number.isNaN(x + py[place]!));

// Whether a series runs along its thresholds.
function isSwept({ x, threshold }: Series): boolean {
  if (!threshold) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== threshold[i] && !Number.isNaN(threshold[i]!)) return false;
  return x.length > 0;
}
