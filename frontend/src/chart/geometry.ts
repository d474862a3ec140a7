// From data to pixels: lines, steps, where gaps are, and which rows stand in a table.
import type { Scale } from "./scales";

const FAR = 10_000; // pixels: what is farther out of sight stands here, or a line to it would have too many dashes

export function placed(values: ArrayLike<number>, scale: Scale): Float32Array {
  const pixels = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) pixels[i] = Math.min(FAR, Math.max(-FAR, scale.place(values[i]!)));
  return pixels;
}

// On which side of its point a value holds: a state lasts down to the next threshold. Where x
// goes to and fro there are no steps.
export function stepSide(x: ArrayLike<number>): "after" | "before" | null {
  let [rises, falls] = [true, true];
  for (let i = 1; i < x.length; i++) {
    if (x[i]! < x[i - 1]!) rises = false;
    if (x[i]! > x[i - 1]!) falls = false;
  }
  return falls ? "after" : rises ? "before" : null;
}

// The corners of a staircase through points.
export function staircase(px: Float32Array, py: Float32Array, side: "after" | "before"): [Float32Array, Float32Array] {
  if (px.length < 2) return [px, py];
  const n = 2 * px.length - 1;
  const [x, y] = [new Float32Array(n), new Float32Array(n)];
  for (let i = 0; i < px.length; i++) {
    [x[2 * i], y[2 * i]] = [px[i]!, py[i]!];
    if (i + 1 < px.length) {
      x[2 * i + 1] = side === "after" ? px[i + 1]! : px[i]!;
      y[2 * i + 1] = side === "after" ? py[i]! : py[i + 1]!;
    }
  }
  return [x, y];
}

// The runs [start, end) of points that are all there: a line breaks where a value is undefined.
export function runs(...columns: readonly ArrayLike<number>[]): [number, number][] {
  const found: [number, number][] = [];
  const n = columns[0]?.length ?? 0;
  let start = -1;
  for (let i = 0; i <= n; i++) {
    const there = i < n && columns.every((column) => !Number.isNaN(column[i]!));
    if (there && start < 0) start = i;
    if (!there && start >= 0) {
      found.push([start, i]);
      start = -1;
    }
  }
  return found;
}

// At most `most` of n rows, evenly spread, the first and the last among them.
export function spreadRows(n: number, most: number): number[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / (most - 1)));
}

// Places along a line, `apart` pixels from each other, `first` pixels from its beginning.
export function along(px: Float32Array, py: Float32Array, first: number, apart: number): [number, number][] {
  const found: [number, number][] = [];
  let left = first;
  for (let i = 1; i < px.length; i++) {
    const [dx, dy] = [px[i]! - px[i - 1]!, py[i]! - py[i - 1]!];
    const length = Math.hypot(dx, dy);
    if (!(length > 0)) continue;
    let at = left;
    for (; at <= length; at += apart) found.push([px[i - 1]! + (dx * at) / length, py[i - 1]! + (dy * at) / length]);
    left = at - length;
  }
  return found;
}
