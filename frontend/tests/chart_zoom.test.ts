import { describe, expect, it } from "vitest";
import { pictureOf } from "../src/chart/picture";
import type { Series } from "../src/chart/types";
import { type PlotRange, rangeAbout, rangeMoved, rangeWithin } from "../src/chart/zoom";

const floats = (...values: number[]) => Float64Array.from(values);
const roc: Series = { id: "a", name: "forest", color: 0, x: floats(0, 0.2, 1), y: floats(0, 0.7, 1) };
const right: Series = { id: "r", name: "rows", color: 1, axis: "right", x: roc.x, y: floats(0, 50, 100) };
const layout = { x: { title: "FPR" }, y: { title: "TPR" }, square: true, width: 500 };
const frameAt = (range: PlotRange | null = null) => pictureOf({ ...layout, series: [roc], range }).frame;

describe("a zoom", () => {
  it("shows what a rectangle held", () => {
    const frame = frameAt();
    const at = (x: number, y: number): [number, number] => [frame.x.place(x), frame.y.place(y)];
    const range = rangeWithin(frame, at(0.4, 0.9), at(0.1, 0.6))!;
    for (const [span, ends] of [[range.x, [0.1, 0.4]], [range.y, [0.6, 0.9]]] as const) ends.forEach((end, i) => expect(span[i]).toBeCloseTo(end, 9));
    const closer = frameAt(range);
    expect([closer.right - closer.left, closer.bottom - closer.top]).toEqual([frame.right - frame.left, frame.bottom - frame.top]);
    expect(closer.x.value(closer.x.place(0.25))).toBeCloseTo(0.25, 9);
    expect(closer.xTicks.every((tick) => tick.pixel >= closer.left && tick.pixel <= closer.right)).toBe(true);
  });

  it("takes a flat rectangle for one axis, and none from a click", () => {
    const frame = frameAt();
    expect(rangeWithin(frame, [100, 100], [103, 104])).toBeUndefined();
    expect(rangeWithin(frame, [100, 100], [200, 104])!.y).toEqual([0, 1]);
  });

  it("keeps what is at its spot, and ends where all is shown again", () => {
    const frame = frameAt();
    const spot: [number, number] = [frame.x.place(0.2), frame.y.place(0.7)];
    const closer = frameAt(rangeAbout(frame, 2, spot));
    expect(closer.x.along(spot[0])).toBeCloseTo(0.2, 1);
    expect(rangeAbout(closer, 0.5, spot)).toBeNull();
    expect(rangeAbout(frame, 0.5, spot)).toBeNull();
  });

  it("moves as far as the axes go", () => {
    const frame = frameAt({ x: [0.1, 0.3], y: [0.5, 0.7] });
    const moved = rangeMoved(frame, 0.25, -9)!;
    moved.x.forEach((end, i) => expect(end).toBeCloseTo([0.15, 0.35][i]!, 9));
    expect(moved.y[0]).toBe(0);
  });

  it("takes the second y along, and infinity out of sight", () => {
    const range: PlotRange = { x: [0.1, 0.3], y: [0.5, 0.75] };
    const { frame } = pictureOf({ ...layout, series: [roc, right], right: { title: "rows" }, range });
    expect(frame.right2!.extent).toMatchObject({ low: 50, high: 75 });
    const swept: Series = { ...roc, x: floats(Infinity, 0.5, 0), threshold: floats(Infinity, 0.5, 0) };
    const { drawn, frame: cut } = pictureOf({ ...layout, series: [swept], range });
    expect(drawn[0]!.px[0]).toBeGreaterThan(cut.right + 1000);
  });
});
