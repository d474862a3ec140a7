import { describe, expect, it } from "vitest";
import { brushed, middleHalf, overBoth } from "../src/chart/brush";
import { pictureOf } from "../src/chart/picture";
import { barAt } from "../src/chart/search";
import { stacked, topsOf } from "../src/chart/stack";
import type { Series } from "../src/chart/types";
import { linesOf } from "../src/chart/words";

const floats = (...values: number[]) => Float64Array.from(values);
const bars = (name: string, y: Float64Array, color: number): Series => ({ id: name, name, color, x: floats(0, 10), x1: floats(10, 20), y, style: "bars" });
const [no, yes] = stacked([bars("no", floats(4, 2), 0), bars("yes", floats(1, NaN), 1)]) as [Series, Series];
const x = { title: "age" };
const y = { title: "Rows" };
const NONE: ReadonlySet<string> = new Set();

describe("bars on each other", () => {
  it("begin where those before them end; what is undefined has no height", () => {
    expect([...no.base!, ...yes.base!]).toEqual([0, 0, 4, 2]);
    expect(topsOf(yes)[0]).toBe(5);
    expect([...yes.y].slice(0, 1)).toEqual([1]);
  });

  it("fit the axis, and the pointer meets the one that it is over", () => {
    const { frame, drawn } = pictureOf({ series: [no, yes], x, y, width: 400 });
    expect(frame.y.extent.high).toBeGreaterThanOrEqual(5);
    const at = (value: number) => barAt(drawn, frame.x.place(5), frame.y.place(value));
    expect([at(2)?.series, at(4.5)?.series, at(7)]).toEqual([0, 1, null]);
    expect(linesOf(drawn[1]!, 0, { x, y })).toEqual(["age 0 to 10", "Rows 1"]);
  });

  it("name categories and dates", () => {
    const named = { ...no, x: floats(-0.4, 0.6), x1: floats(0.4, 1.4) };
    const { drawn } = pictureOf({ series: [named], x: { title: "site", names: ["a", "b"] }, y, width: 400 });
    expect(linesOf(drawn[0]!, 1, { x: { title: "site", names: ["a", "b"] }, y })[0]).toBe("b");
    expect(linesOf(drawn[0]!, 1, { x: { title: "day", dates: true }, y: y })[0]).toMatch(/^day 1970-01-0/);
  });
});

describe("a brush", () => {
  it("selects a range of x where points have no thresholds, and begins with the middle half", () => {
    const picture = pictureOf({ series: [no, yes], x: { ...x, domain: [0, 20] }, y, width: 400 });
    const { frame } = picture;
    const [low, high] = brushed(picture, NONE, [frame.x.place(15), frame.bottom], [frame.x.place(5), frame.top])!;
    expect([low, high].map(Math.round)).toEqual([5, 15]);
    expect(middleHalf(picture).map(Math.round)).toEqual([5, 15]);
    expect(brushed(picture, NONE, [90, 90], [91, 91])).toBeNull();
    expect(overBoth(picture)).toBe(false);
  });

  it("selects the thresholds of the points within a rectangle, hidden lines left out", () => {
    const roc: Series = { id: "a", name: "a", color: 0, x: floats(0, 0.2, 0.5, 1), y: floats(0, 0.7, 0.9, 1), threshold: floats(Infinity, 0.6, 0.3, 0) };
    const picture = pictureOf({ series: [roc], x: { title: "FPR" }, y: { title: "TPR" }, square: true, width: 500 });
    const { frame } = picture;
    const spot = (fpr: number, tpr: number): [number, number] => [frame.x.place(fpr), frame.y.place(tpr)];
    expect(overBoth(picture)).toBe(true);
    expect(brushed(picture, NONE, spot(0, 0), spot(0.6, 0.95))).toEqual([0.3, 0.6]);
    expect(brushed(picture, NONE, spot(0.1, 0.1), spot(0.3, 0.3))).toBeNull();
    expect(brushed(picture, new Set(["a"]), spot(0, 0), spot(1, 1))).toBeNull();
  });
});
