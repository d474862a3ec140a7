import { describe, expect, it } from "vitest";
import { frameOf } from "../src/chart/frame";
import { thinned } from "../src/chart/thin";
import type { Series } from "../src/chart/types";

const N = 100_000;
const x = Float64Array.from({ length: N }, (_, i) => i / (N - 1));
const wave = (of: (i: number) => number) => Float64Array.from(x, (_, i) => of(i));
const line: Series = { id: "a", name: "a", color: 0, x, y: wave((i) => Math.sin(i / 500)), low: wave((i) => -2 - (i % 977)), high: wave((i) => 2 + (i % 991)), threshold: wave((i) => 1 - i / N) };
const frame = frameOf({ series: [line], x: { title: "x" }, y: { title: "y" }, width: 600 });

describe("a line of more points than pixels", () => {
  it("keeps the ends, the extremes and the rows of its points together", () => {
    const fewer = thinned(line, frame);
    const n = fewer.x.length;
    expect(n).toBeLessThan(12 * 600);
    expect([fewer.x[0], fewer.x[n - 1]]).toEqual([0, 1]);
    for (const name of ["y", "low", "high"] as const) for (const end of [Math.min, Math.max]) expect(fewer[name]!.reduce((a, b) => end(a, b))).toBe(line[name]!.reduce((a, b) => end(a, b)));
    const places = Array.from(fewer.threshold!, (threshold) => Math.round((1 - threshold) * N));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const place of [1, 77, n - 2]) expect([fewer.x[place], fewer.y[place], fewer.low![place]]).toEqual([x[places[place]!], line.y[places[place]!], line.low![places[place]!]]);
  });

  it("keeps thresholds and heights apart where it rises within one column", () => {
    const steep: Series = { id: "s", name: "s", color: 0, x: wave((i) => (i < N / 2 ? 0 : x[i]!)), y: x, threshold: line.threshold! };
    const fewer = thinned(steep, frame);
    expect(fewer.y.filter((y) => y < 0.5).length).toBeGreaterThan(200);
  });

  it("keeps its gaps, and is itself where it is short or of single points", () => {
    const broken = { ...line, y: line.y.map((y, i) => (i > 40_000 && i < 40_010 ? NaN : y)) };
    expect(thinned(broken, frame).y.some(Number.isNaN)).toBe(true);
    const short = { ...line, x: x.subarray(0, 600) };
    expect(thinned(short, frame)).toBe(short);
    const points: Series = { ...line, style: "points" };
    expect(thinned(points, frame)).toBe(points);
  });
});
