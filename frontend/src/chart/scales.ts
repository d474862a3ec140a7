// Where values stand on an axis. What has no finite place (an infinite threshold, a rate of 0 on
// normal deviates) stands at the edge of the axis, a little apart from what has one.
import { deviate, share } from "./normal";

export type ScaleKind = "linear" | "normal-deviate" | "logit";

export interface Extent {
  kind: ScaleKind;
  low: number; // least and greatest finite place, transformed
  high: number;
  below: number | null; // edge places, where some value needs them
  above: number | null;
  cut?: boolean; // zoomed: what has no finite place is out of sight
}

const OUT = 1e5; // pixels
const EDGE = 0.07; // share of the axis between what is finite and the edge

export function transformed(kind: ScaleKind, value: number): number {
  if (kind === "linear") return value;
  const rate = Math.min(1, Math.max(0, value));
  return kind === "logit" ? Math.log(rate / (1 - rate)) : deviate(rate);
}

export function untransformed(kind: ScaleKind, place: number): number {
  if (kind === "linear") return place;
  return kind === "logit" ? 1 / (1 + Math.exp(-place)) : share(place);
}

export interface Wish {
  kind?: ScaleKind | undefined;
  domain?: [number, number] | undefined;
  square?: boolean | undefined; // 0 to 1 whatever the values
  floor?: number | undefined; // values below need not be shown
  ends?: [boolean, boolean] | undefined; // whether places below and above are wanted, whatever the values
  zero?: boolean | undefined; // begin at 0 if no value is below
}

// The extent that shows all values: 0 to 1 whole where they are shares of some spread.
export function extentOf(values: readonly ArrayLike<number>[], wish: Wish = {}): Extent {
  const { kind = "linear", floor } = wish;
  const [atLow, atHigh] = kind === "linear" ? [false, false] : (wish.ends ?? [false, false]);
  let [low, high, below, above] = [Infinity, -Infinity, atLow, atHigh];
  for (const part of values) {
    for (let i = 0; i < part.length; i++) {
      const place = transformed(kind, floor !== undefined && part[i]! < floor ? floor : part[i]!);
      if (place === Infinity) above = true;
      else if (place === -Infinity) below = true;
      else {
        if (place < low) low = place;
        if (place > high) high = place;
      }
    }
  }
  if (wish.domain) [low, high] = wish.domain.map((end) => transformed(kind, end)) as [number, number];
  if (!(low <= high) || !Number.isFinite(high - low)) [low, high] = kind === "linear" ? [0, 1] : [-2, 2];
  if (!wish.domain) [low, high] = rounded(low, high, kind, wish);
  const edge = EDGE * (high - low);
  return { kind, low, high, below: below ? low - edge : null, above: above ? high + edge : null };
}

function rounded(low: number, high: number, kind: ScaleKind, wish: Wish): [number, number] {
  if (kind === "linear" && wish.square) return [Math.min(0, low), Math.max(1, high)];
  if (kind === "linear" && low >= 0 && high <= 1 && high - low >= 0.5) return [0, 1];
  if (kind === "linear" && wish.zero && low >= 0) return [0, high || 1];
  if (kind === "linear" && wish.zero && high <= 0) return [low, 0];
  if (low === high) {
    const room = Math.max(0.5, Math.abs(low) / 2);
    return [low - room, high + room];
  }
  return [low, high];
}

export interface Scale {
  extent: Extent;
  place: (value: number) => number; // in pixels; NaN for what is undefined
  value: (pixel: number) => number;
  along: (pixel: number) => number; // the transformed value there, also beyond the ends
}

// From the extent to pixels: `from` is where the low end stands, `to` where the high end does.
export function scaleOf(extent: Extent, from: number, to: number): Scale {
  const least = extent.below ?? extent.low;
  const most = extent.above ?? extent.high;
  const pace = (to - from) / (most - least);
  const { kind } = extent;
  const beyond = extent.cut ? OUT * Math.sign(to - from) : 0;
  const along = (pixel: number): number => least + (pixel - from) / pace;
  return {
    extent,
    place: (value) => {
      const place = transformed(kind, value);
      if (place === Infinity) return to + beyond;
      if (place === -Infinity) return from - beyond;
      return from + (place - least) * pace;
    },
    value: (pixel) => untransformed(kind, Math.min(extent.high, Math.max(extent.low, along(pixel)))),
    along,
  };
}
