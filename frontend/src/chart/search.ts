// Which point is meant: by its threshold, or by where the pointer is.

// The places of the points that have a threshold, from the greatest threshold to the least.
export function ladderOf(threshold: Float64Array): Int32Array {
  const known: number[] = [];
  let [falls, rises] = [true, true];
  for (let i = 0; i < threshold.length; i++) {
    const value = threshold[i]!;
    if (Number.isNaN(value)) continue;
    const before = known.length ? threshold[known[known.length - 1]!]! : value;
    if (value > before) falls = false;
    if (value < before) rises = false;
    known.push(i);
  }
  if (!falls && rises) known.reverse();
  else if (!falls) known.sort((a, b) => (threshold[a]! === threshold[b]! ? a - b : threshold[b]! > threshold[a]! ? 1 : -1));
  return Int32Array.from(known);
}

// The rung of the state at a threshold: the last point whose threshold is at or above it; -1 where
// there is none, and below all of them where the series ends before the last row is met.
export function rungAt(threshold: Float64Array, ladder: Int32Array, at: number, ends = false): number {
  if (!ladder.length || Number.isNaN(at)) return -1;
  if (ends && at < threshold[ladder[ladder.length - 1]!]!) return -1;
  let [low, high] = [0, ladder.length]; // every rung before `low` is at or above, none from `high` on
  while (low < high) {
    const middle = (low + high) >> 1;
    if (threshold[ladder[middle]!]! >= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The same for what always stands on the ladder: above all thresholds, on the first rung.
export const heldRung = (threshold: Float64Array, ladder: Int32Array, at: number): number => (ladder.length ? Math.max(0, rungAt(threshold, ladder, at)) : -1);

// The point of the state at a threshold, -1 where that is undefined.
export function pointAt(threshold: Float64Array, ladder: Int32Array, at: number, ends = false): number {
  const rung = rungAt(threshold, ladder, at, ends);
  return rung < 0 ? -1 : ladder[rung]!;
}

// The next rung with another threshold, `steps` of them away; the ends hold.
export function rungBeside(threshold: Float64Array, ladder: Int32Array, rung: number, steps: number): number {
  const way = Math.sign(steps);
  let at = rung;
  for (let left = Math.abs(steps); left > 0; left--) {
    let next = at + way;
    while (next >= 0 && next < ladder.length && threshold[ladder[next]!] === threshold[ladder[at]!]) next += way;
    if (next < 0 || next >= ladder.length) break;
    at = next;
  }
  return at;
}

export interface Near {
  series: number;
  point: number;
  distance: number;
}

export interface Points {
  px: Float32Array;
  py: Float32Array;
}

// The point nearest to a place in pixels; `along` looks at the horizontal distance first.
export function nearest(all: readonly (Points | null)[], x: number, y: number, along = false): Near | null {
  let best: Near | null = null;
  let least = Infinity;
  for (let s = 0; s < all.length; s++) {
    const points = all[s];
    if (!points) continue;
    const { px, py } = points;
    for (let i = 0; i < px.length; i++) {
      const dx = px[i]! - x;
      const dy = py[i]! - y;
      const square = along ? dx * dx + 1e-6 * dy * dy : dx * dx + dy * dy;
      if (square < least) {
        least = square;
        best = { series: s, point: i, distance: 0 };
      }
    }
  }
  if (best) best.distance = Math.sqrt(least);
  return best;
}

export interface Bars extends Points {
  right: Float32Array | null;
  base: Float32Array | null;
}

// The bar under a place, of those that stand on each other.
export function barAt(all: readonly Bars[], x: number, y: number): Near | null {
  for (let s = 0; s < all.length; s++) {
    const { px, py, right, base } = all[s]!;
    if (!right || !base) continue;
    for (let i = 0; i < px.length; i++) if (x >= px[i]! && x <= right[i]! && y <= base[i]! && y >= py[i]!) return { series: s, point: i, distance: 0 };
  }
  return null;
}
