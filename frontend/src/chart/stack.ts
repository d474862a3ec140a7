// Bars that stand on each other.
import type { Series } from "./types";

// The same bars, each on top of those before it.
export function stacked(series: readonly Series[]): Series[] {
  let floor = new Float64Array(series[0]?.y.length ?? 0);
  return series.map((one) => {
    const base = floor;
    floor = base.map((from, place) => from + (one.y[place] || 0));
    return { ...one, base };
  });
}

// The heights at which points stand: where bars stand on others, the tops of these.
export const topsOf = ({ y, base }: Series): Float64Array => (base ? y.map((value, place) => value + base[place]!) : y);
