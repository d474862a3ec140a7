import { describe, expect, it } from "vitest";
import { columnsOf, described, rowsOf, tabSeparated } from "../src/chart/describe";
import { frameOf } from "../src/chart/frame";
import { coverage, placeEnds, placeLabels } from "../src/chart/labels";
import { pictureOf } from "../src/chart/picture";
import type { Series } from "../src/chart/types";
import { linesOf } from "../src/chart/words";

const floats = (...values: number[]) => Float64Array.from(values);
const roc: Series = { id: "a", name: "forest", color: 0, x: floats(0, 0.2, 1), y: floats(0, 0.7, 1), threshold: floats(Infinity, 0.5, 0) };
const x = { title: "FPR" };
const y = { title: "TPR" };

describe("a picture", () => {
  it("has equal sides where it is square, and fits its width", () => {
    for (const width of [320, 420, 900]) {
      const frame = frameOf({ series: [roc], x, y, square: true, width });
      expect(frame.right - frame.left).toBeCloseTo(frame.bottom - frame.top, 6);
      expect(frame.width).toBeLessThanOrEqual(width);
    }
  });

  it("keeps points, thresholds and places together", () => {
    const { drawn, frame, swept, several } = pictureOf({ series: [roc], x, y, square: true, width: 500 });
    expect([...drawn[0]!.ladder]).toEqual([0, 1, 2]);
    expect(drawn[0]!.px[1]).toBeCloseTo(frame.x.place(0.2), 3);
    expect([swept, several]).toEqual([false, false]);
  });

  it("knows a sweep along the thresholds, with its infinite end at the edge", () => {
    const cost = { ...roc, x: floats(Infinity, 0.5, 0), style: "step" as const };
    const { swept, frame, drawn } = pictureOf({ series: [cost], x: { title: "threshold" }, y, width: 500 });
    expect(swept).toBe(true);
    expect(drawn[0]!.px[0]).toBeGreaterThan(frame.x.place(0.5) + 20);
    expect(drawn[0]!.lineX.length).toBe(5);
  });

  it("holds what has no point, and points without thresholds out of reach", () => {
    const none = { ...roc, x: floats(), y: floats(), threshold: floats() };
    expect(pictureOf({ series: [none], x, y, width: 400 })).toMatchObject({ empty: true });
    expect(pictureOf({ series: [], x, y, width: 400 })).toMatchObject({ empty: true, swept: false });
    const part = { ...roc, threshold: floats(NaN, 0.5, NaN) };
    expect([...pictureOf({ series: [part], x, y, width: 400 }).drawn[0]!.grip!.px].map(Number.isNaN)).toEqual([true, false, true]);
  });

  it("does not let guides stretch the axes", () => {
    const guide: Series = { id: "g", name: "treat all", color: 0, guide: true, x: floats(-Infinity, Infinity), y: floats(-99, -99) };
    const { frame } = pictureOf({ series: [roc, guide], x, y, width: 400 });
    expect(frame.y.extent).toMatchObject({ low: 0, high: 1 });
    expect(frame.x.extent).toMatchObject({ below: null, above: null });
  });

  it("sets the points of categories beside each other", () => {
    const two = [0, 1].map((k) => ({ ...roc, id: `${k}`, x: floats(0, 1, 2), style: "points" as const }));
    const { drawn } = pictureOf({ series: two, x: { title: "purpose", names: ["a", "b", "c"] }, y, width: 400 });
    expect(drawn[1]!.px[0]! - drawn[0]!.px[0]!).toBeGreaterThan(4);
  });

  it("puts a second y on its own scale", () => {
    const other: Series = { id: "r", name: "n", color: 1, axis: "right", x: roc.x, y: floats(0, 5000, 10_000) };
    const { frame, drawn } = pictureOf({ series: [roc, other], x, y, right: { title: "rows" }, width: 500 });
    expect(frame.right2!.extent.high).toBe(10_000);
    expect(drawn[1]!.py[2]).toBeCloseTo(drawn[0]!.py[2]!, 3);
  });
});

describe("names at the ends of lines", () => {
  const line = (id: string, ...y: number[]): Series => ({ id, name: `model ${id}`, color: 0, x: floats(0, 1), y: floats(...y) });
  const at = (...series: Series[]) => pictureOf({ series, x, y, width: 700 });

  it("stand where lines end apart, in room that the plot gives", () => {
    const { ends, frame } = at(line("a", 0, 0.2), line("b", 0, 0.9));
    expect(ends.map((end) => end.id)).toEqual(["a", "b"]);
    expect(frame.right).toBeLessThan(at(line("a", 0, 0.2)).frame.right - 30);
  });

  it("do not where ends meet, and where there is one line", () => {
    expect(at(line("a", 0, 1), line("b", 0.3, 1), line("c", 0.5, 1), line("d", 0.6, 1)).ends).toEqual([]);
    expect(at(line("a", 0, 1)).ends).toEqual([]);
  });

  it("are pushed apart inside the plot", () => {
    expect(placeEnds([100, 102, 40], 0, 110)).toEqual([95, 110, 40]);
  });
});

describe("a chart in words", () => {
  it("says what is on the axes and what the lines are", () => {
    expect(described({ series: [roc], x, y })).toBe("Horizontal axis: FPR, 0 to 1. Vertical axis: TPR, 0 to 1. 1 series: forest.");
  });

  it("names a point by its threshold first", () => {
    const { drawn } = pictureOf({ series: [roc], x, y, width: 500 });
    expect(linesOf(drawn[0]!, 1, { x, y })).toEqual(["threshold 0.5", "FPR 0.2", "TPR 0.7"]);
  });
});

describe("a chart as rows", () => {
  it("holds at most as many as asked for, of all series", () => {
    const long = { ...roc, id: "b", x: new Float64Array(5000), y: new Float64Array(5000) };
    const { rows, total } = rowsOf([roc, { ...roc, x: floats(), y: floats() }, long], 200);
    expect([rows.length, total]).toEqual([200, 5003]);
    expect(rows[0]).toMatchObject({ series: roc, place: 0 });
    expect(rows.at(-1)).toMatchObject({ place: 4999 });
    expect(rowsOf([], 200)).toEqual({ rows: [], total: 0 });
  });

  it("copies as text between tabs that no spreadsheet takes for a formula", () => {
    const evil = { ...roc, name: "=cmd\t()" };
    const shown = { series: [evil, roc], x, y };
    const [head, first] = tabSeparated(columnsOf(shown), rowsOf(shown.series).rows).split("\n");
    expect(head).toBe("series\tFPR\tTPR\tthreshold");
    expect(first).toBe("'=cmd ()\t0\t0\tInfinity");
  });
});

describe("names of marks", () => {
  it("keep off lines and marked points where there is another place", () => {
    const covers = coverage([[Float32Array.of(0, 100), Float32Array.of(50, 50)]], [[50, 20]]);
    const wanted = { text: "best", width: 30, places: [[40, 42], [40, 14], [40, 70]] as [number, number][] };
    const [label] = placeLabels([wanted], { left: 0, top: 0, width: 100, height: 100 }, covers);
    expect(label!.box).toMatchObject({ left: 40, top: 70 });
  });
});
