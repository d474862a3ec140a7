// A line without the points that its pixels cannot show; every point that stays is one of its own.
import type { Frame } from "./frame";
import type { Series } from "./types";

const ENOUGH = 24; // points a pixel of width, up to which nothing is left out: what the server thins stays whole
const COLUMNS = ["x", "y", "x1", "low", "high", "threshold", "size", "base", "accepted", "density"] as const;

// Of the points that follow each other in a column of pixels, the first, the last and the extremes of
// every height stay; so does the first point in each of as many ranges of y and of the threshold.
export function thinned(series: Series, frame: Frame): Series {
  const n = series.x.length;
  const width = Math.max(1, Math.round(frame.right - frame.left));
  if (n <= ENOUGH * width || series.style === "points" || series.style === "bars") return series;
  const kept = new Uint8Array(n);
  const heights = [series.y, series.low, series.high].filter((one) => one !== undefined);
  const column = (place: number): number => (Number.isNaN(series.y[place]!) ? NaN : Math.min(frame.right + 1, Math.max(frame.left - 1, Math.floor(frame.x.place(series.x[place]!)))));
  for (let from = 0; from < n; ) {
    const here = column(from);
    let to = from + 1;
    while (to < n && column(to) === here) to++;
    kept[from] = kept[to - 1] = 1;
    if (to - from > 2) for (const height of heights) keepExtremes(height, kept, from, to);
    from = to;
  }
  for (const along of [series.y, series.threshold]) if (along) keepFirsts(along, kept, width);
  return taken(series, kept);
}

function keepExtremes(values: Float64Array, kept: Uint8Array, from: number, to: number): void {
  let [least, most] = [from, from];
  for (let i = from + 1; i < to; i++) {
    if (values[i]! < values[least]!) least = i;
    else if (values[i]! > values[most]!) most = i;
  }
  kept[least] = kept[most] = 1;
}

function keepFirsts(values: Float64Array, kept: Uint8Array, ranges: number): void {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low && value > -Infinity) low = value;
    if (value > high && value < Infinity) high = value;
  }
  const met = new Uint8Array(ranges);
  for (let i = 0; i < values.length; i++) {
    const range = Math.floor(((values[i]! - low) / (high - low)) * (ranges - 1));
    if (!(range >= 0 && range < ranges) || met[range]) continue;
    met[range] = kept[i] = 1;
  }
}

function taken(series: Series, kept: Uint8Array): Series {
  const places = Int32Array.from({ length: kept.reduce((sum, one) => sum + one, 0) });
  let size = 0;
  for (let i = 0; i < kept.length; i++) if (kept[i]) places[size++] = i;
  const fewer: Series = { ...series };
  for (const name of COLUMNS) {
    const values = series[name];
    if (values) fewer[name] = Float64Array.from(places, (place) => values[place]!);
  }
  return fewer;
}
