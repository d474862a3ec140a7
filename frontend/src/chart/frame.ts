// Where the plot stands in its chart: room for ticks and titles, and the scales inside it.
import { type Extent, extentOf, type Scale, scaleOf } from "./scales";
import { topsOf } from "./stack";
import { type Tick, ticksOf } from "./ticks";
import type { Axis, Series } from "./types";
import { type PlotRange, type Span, spanOf } from "./zoom";

export const SMALL = 12; // pixels of the letters of ticks
const PAD = 7; // between the plot's edge and its outermost value
const TITLE = 24;
const TOOLS = 28; // the row of buttons, where two titles leave no room beside them
const SQUARE = [440, 560] as const; // the longest side of a square plot, and where there is much room
const MUCH = 800; // pixels of width
const COLUMN = 52; // pixels left of the plots of a column
const ENOUGH = 640; // for the larger square
const DATES_APART = 92; // pixels between dates side by side
const NAME = 22; // letters of a category's name

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number; // edges of the plot, from the left and the top of the chart
  top: number;
  bottom: number;
  x: Scale;
  y: Scale;
  right2: Scale | null;
  xTicks: Tick[];
  yTicks: Tick[];
  rightTicks: Tick[];
  turned: boolean; // names of categories stand aslant
  whole: PlotRange; // what is shown without zoom
}

// About how wide a text is: exact enough to leave room for it.
export const textWidth = (text: string, size = SMALL): number => {
  let sum = 0;
  for (const letter of text) sum += /[ilj.,:;'|!()\s]/.test(letter) ? 0.3 : /[A-ZMWmw%@]/.test(letter) ? 0.76 : 0.56;
  return sum * size;
};

export const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

export interface Layout {
  series: readonly Series[];
  x: Axis;
  y: Axis;
  right?: Axis | undefined;
  square?: boolean | undefined;
  column?: boolean | undefined;
  height?: number | undefined;
  width: number;
  range?: PlotRange | null; // zoomed to
  beside?: number; // pixels for names beside the ends of lines
  tools?: boolean; // leave room for the buttons
}

export function frameOf(layout: Layout): Frame {
  const { width, square, column } = layout;
  const all = extentsOf(layout);
  const extents = layout.range ? zoomed(all, layout.range) : all;
  const names = layout.x.names;
  const turned = names !== undefined && isTurned(names, width - 60);
  const below = 42 + (layout.x.dates ? 14 : 0) + (turned ? 0.58 * Math.max(0, ...names.map((name) => textWidth(shortened(name, NAME)))) - 4 : 0);
  const top = TITLE + 4 + (layout.tools && layout.right ? TOOLS : 0);
  const much = width >= MUCH;
  const tall = layout.height ?? (square ? SQUARE[width >= ENOUGH ? 1 : 0] + top + below : width < 500 ? 280 : much ? 400 : 340);
  const guess = Math.max(40, Math.min(tall - top - below, square ? width - 60 : Infinity));
  const y = side(extents.y, guess, layout.y);
  const right2 = extents.right && side(extents.right, guess, layout.right);
  const left = Math.max(column ? COLUMN : 0, 12 + Math.max(14, ...y.ticks.map((tick) => textWidth(tick.text)), turned ? 30 : 0));
  const beside = right2 ? 12 + Math.max(14, ...right2.ticks.map((tick) => textWidth(tick.text))) : 16 + (layout.beside ?? 0);
  const widest = column ? Math.max(40, Math.min(SQUARE[width >= ENOUGH ? 1 : 0], width - 60)) : Infinity;
  const across = Math.max(40, Math.min(widest, width - left - beside));
  const up = square ? Math.min(across, guess) : guess;
  const bottom = top + up;
  const right = left + (square ? up : across);
  const yScale = scaleOf(extents.y, bottom - PAD, top + PAD);
  const rightScale = extents.right && scaleOf(extents.right, bottom - PAD, top + PAD);
  const xScale = scaleOf(extents.x, left + PAD, right - PAD);
  const apart = 34;
  return {
    width: square || column ? right + beside : width,
    height: bottom + below,
    left,
    right,
    top,
    bottom,
    x: xScale,
    y: yScale,
    right2: rightScale,
    xTicks: names ? nameTicks(names, xScale) : ticksOf(xScale, layout.x.dates ? DATES_APART : xApart(extents.x), layout.x),
    yTicks: ticksOf(yScale, apart, layout.y),
    rightTicks: rightScale ? ticksOf(rightScale, apart, layout.right) : [],
    turned,
    whole: { x: spanOf(all.x), y: spanOf(all.y) },
  };
}

function side(extent: Extent, length: number, axis?: Axis): { ticks: Tick[] } {
  return { ticks: ticksOf(scaleOf(extent, length - PAD, PAD), 34, axis) };
}

// Wider numbers stand farther apart.
function xApart(extent: Extent): number {
  if (extent.kind !== "linear") return 52;
  return Math.max(56, 18 + Math.max(...[extent.low, extent.high].map((end) => textWidth(Math.round(end).toLocaleString("en")))));
}

interface Extents {
  x: Extent;
  y: Extent;
  right: Extent | null;
}

// What has no finite place is out of sight while a chart is zoomed; the right axis follows the left one.
function zoomed({ x, y, right }: Extents, range: PlotRange): Extents {
  const within = (extent: Extent, [low, high]: Span): Extent => ({ ...extent, low, high, below: null, above: null, cut: true });
  const [least, most] = spanOf(y);
  const beside = (extent: Extent): Span => {
    const [low, high] = spanOf(extent);
    return [low + ((range.y[0] - least) / (most - least)) * (high - low), low + ((range.y[1] - least) / (most - least)) * (high - low)];
  };
  return { x: within(x, range.x), y: within(y, range.y), right: right && within(right, beside(right)) };
}

function extentsOf({ series, x, y, right, square }: Layout): Extents {
  const bars = series.some((one) => one.style === "bars");
  const heights = (which: "left" | "right") =>
    series.filter((one) => (one.axis ?? "left") === which && !one.guide).flatMap((one) => [topsOf(one), ...(one.low ? [finite(one.low)] : []), ...(one.high ? [finite(one.high)] : [])]);
  const xs = series.filter((one) => !one.guide).flatMap((one) => (one.x1 ? [one.x, one.x1] : [one.x]));
  const guided = (values: Float64Array[], key: "x" | "y") => (values.some((part) => part.length) ? values : series.map((one) => one[key]));
  const ys = guided(heights("left"), "y");
  const kind = y.scale ?? "linear";
  return {
    x: x.names ? { kind: "linear", low: -0.5, high: Math.max(0.5, x.names.length - 0.5), below: null, above: null } : extentOf(guided(xs, "x"), { kind: x.scale, domain: x.domain, ends: x.ends, square }),
    y: extentOf(ys, { kind, domain: y.domain, ends: y.ends, floor: y.floor, square, zero: y.zero ?? (bars || x.names !== undefined) }),
    right: right ? extentOf(heights("right"), { kind: right.scale, domain: right.domain, floor: right.floor, zero: right.zero ?? bars }) : null,
  };
}

// A band without an end shall not put infinity on the axis.
function finite(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) === Infinity) return values.filter((value) => Number.isFinite(value));
  return values;
}

function isTurned(names: readonly string[], width: number): boolean {
  const longest = Math.max(0, ...names.map((name) => textWidth(shortened(name, NAME))));
  return (longest + 10) * names.length > width;
}

function nameTicks(names: readonly string[], scale: Scale): Tick[] {
  const apart = Math.abs(scale.place(1) - scale.place(0));
  const every = Math.max(1, Math.ceil(16 / apart));
  return names.map((name, place) => ({ value: place, pixel: scale.place(place), text: shortened(name, NAME) })).filter((_, place) => place % every === 0);
}
