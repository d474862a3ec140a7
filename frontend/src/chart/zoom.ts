// The part of a chart that is shown. Places are transformed values, so that every kind of axis zooms evenly.
import type { Frame } from "./frame";
import type { Extent } from "./scales";

export type Span = [number, number];

export interface PlotRange {
  x: Span;
  y: Span; // of the left axis; the right one follows
}

const LEAST = 8; // pixels of a rectangle that is meant
const DEEPEST = 1e-6; // share of the whole axis that can still be shown

export const spanOf = ({ low, high, below, above }: Extent): Span => [below ?? low, above ?? high];

const shownOf = ({ x, y }: Frame): PlotRange => ({ x: spanOf(x.extent), y: spanOf(y.extent) });

// The range inside the whole; null where it shows all of it.
function held(range: PlotRange, whole: PlotRange): PlotRange | null {
  const inside = ([low, high]: Span, [least, most]: Span): Span => {
    const wide = Math.max(DEEPEST * (most - least), Math.min(high - low, most - least));
    const from = Math.min(most - wide, Math.max(least, low));
    return [from, from + wide];
  };
  const [x, y] = [inside(range.x, whole.x), inside(range.y, whole.y)];
  const all = ([low, high]: Span, [least, most]: Span): boolean => high - low >= (1 - 1e-9) * (most - least);
  return all(x, whole.x) && all(y, whole.y) ? null : { x, y };
}

// What a rectangle between two spots holds; a flat or a narrow one is meant for one axis alone.
export function rangeWithin(frame: Frame, [x0, y0]: readonly [number, number], [x1, y1]: readonly [number, number]): PlotRange | undefined {
  const [wide, tall] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (Math.max(wide, tall) < LEAST) return undefined;
  const shown = shownOf(frame);
  const x: Span = [frame.x.along(Math.min(x0, x1)), frame.x.along(Math.max(x0, x1))];
  const y: Span = [frame.y.along(Math.max(y0, y1)), frame.y.along(Math.min(y0, y1))];
  return held({ x: wide < LEAST ? shown.x : x, y: tall < LEAST ? shown.y : y }, frame.whole) ?? undefined;
}

// Closer by a factor greater than 1, farther by a smaller one; what is at the spot stays there.
export function rangeAbout(frame: Frame, factor: number, [x, y]: readonly [number, number]): PlotRange | null {
  const shown = shownOf(frame);
  const scaled = ([low, high]: Span, at: number): Span => [at - (at - low) / factor, at + (high - at) / factor];
  return held({ x: scaled(shown.x, frame.x.along(x)), y: scaled(shown.y, frame.y.along(y)) }, frame.whole);
}

// Moved by shares of what is shown, to the right and up.
export function rangeMoved(frame: Frame, right: number, up: number): PlotRange | null {
  const moved = ([low, high]: Span, share: number): Span => [low + share * (high - low), high + share * (high - low)];
  const { x, y } = shownOf(frame);
  return held({ x: moved(x, right), y: moved(y, up) }, frame.whole);
}
