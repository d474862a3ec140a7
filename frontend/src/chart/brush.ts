// What a rectangle selects: a range of thresholds, or of the horizontal axis.
import type { Picture } from "./picture";

type Spot = readonly [number, number];
const LEAST = 4; // pixels of a drag that is meant

// Whether a rectangle is drawn over both axes: on curves whose points have thresholds of their own.
export const overBoth = ({ drawn, swept }: Picture): boolean => !swept && drawn.some((one) => one.grip);

export function brushed(picture: Picture, hidden: ReadonlySet<string>, [x0, y0]: Spot, [x1, y1]: Spot): [number, number] | null {
  if (Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) < LEAST) return null;
  const { frame } = picture;
  if (!overBoth(picture)) return [frame.x.value(Math.min(x0, x1)), frame.x.value(Math.max(x0, x1))];
  let [low, high] = [Infinity, -Infinity];
  for (const { grip, series } of picture.drawn) {
    if (!grip || hidden.has(series.id)) continue;
    for (let i = 0; i < grip.px.length; i++) {
      const at = series.threshold![i]!;
      if (!Number.isFinite(at) || !((grip.px[i]! - x0) * (grip.px[i]! - x1) <= 0 && (grip.py[i]! - y0) * (grip.py[i]! - y1) <= 0)) continue;
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
  }
  return low <= high ? [low, high] : null;
}

// The middle half of the horizontal axis.
export function middleHalf({ frame }: Picture): [number, number] {
  const { low, high } = frame.x.extent;
  const place = (share: number) => frame.x.value(frame.x.place(low) + share * (frame.x.place(high) - frame.x.place(low)));
  return [place(0.25), place(0.75)];
}
