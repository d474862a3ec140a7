import { describe, expect, it } from "vitest";
import { along, placed, runs, spreadRows, staircase, stepSide } from "../src/chart/geometry";
import { placeLabels } from "../src/chart/labels";
import { lookOf } from "../src/chart/look";
import { deviate, share } from "../src/chart/normal";
import { extentOf, scaleOf } from "../src/chart/scales";
import { heldRung, ladderOf, nearest, pointAt, rungAt, rungBeside } from "../src/chart/search";
import { roundDates, roundNumbers, ticksOf, tickText } from "../src/chart/ticks";

const floats = (...values: number[]) => Float64Array.from(values);
const pixels = (...values: number[]) => Float32Array.from(values);

describe("scales", () => {
  it("hold shares of some spread whole, and other values as they are", () => {
    expect(extentOf([floats(0.1, 0.9)])).toMatchObject({ low: 0, high: 1 });
    expect(extentOf([floats(-3, 12)])).toMatchObject({ low: -3, high: 12 });
    expect(extentOf([floats(0.2, 0.3)], { square: true })).toMatchObject({ low: 0, high: 1 });
    expect(extentOf([floats(4, 9)], { zero: true })).toMatchObject({ low: 0, high: 9 });
  });

  it("give room to a single value and to none", () => {
    const { low, high } = extentOf([floats(7)]);
    expect(low).toBeLessThan(7);
    expect(high).toBeGreaterThan(7);
    expect(extentOf([])).toMatchObject({ low: 0, high: 1, below: null, above: null });
    expect(extentOf([floats(NaN, NaN)])).toMatchObject({ low: 0, high: 1 });
  });

  it("put what has no finite place at the edge, beyond what has one", () => {
    const scale = scaleOf(extentOf([floats(Infinity, 0.9, 0.1)]), 0, 100);
    expect(scale.place(Infinity)).toBe(100);
    expect(scale.place(1)).toBeLessThan(97);
    expect(scale.place(0)).toBe(0);
    expect(scale.place(NaN)).toBeNaN();
  });

  it("stand rates of 0 and 1 at the edges of normal deviates and logits", () => {
    for (const kind of ["normal-deviate", "logit"] as const) {
      const scale = scaleOf(extentOf([floats(0, 0.1, 0.9, 1)], { kind }), 0, 200);
      expect(scale.place(0)).toBe(0);
      expect(scale.place(1)).toBe(200);
      expect(scale.place(0.5)).toBeCloseTo(100, 6);
      expect(scale.value(scale.place(0.3))).toBeCloseTo(0.3, 6);
    }
  });

  it("do not follow values below the floor", () => {
    expect(extentOf([floats(-1e9, -Infinity, 0.3)], { floor: -0.1 })).toMatchObject({ low: -0.1, high: 0.3, below: null });
  });

  it("know the normal distribution", () => {
    expect(deviate(0.975)).toBeCloseTo(1.959963984540054, 7);
    expect(deviate(0.001)).toBeCloseTo(-3.090232306167813, 7);
    for (const rate of [0.0005, 0.02, 0.3, 0.5, 0.81, 0.999]) expect(share(deviate(rate))).toBeCloseTo(rate, 6);
  });
});

describe("ticks", () => {
  it("are round, inside, and not more than asked for", () => {
    expect(roundNumbers(0, 1, 6)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    for (const [low, high] of [[-3.2, 11], [0.001, 0.00137], [1e6, 3.7e7], [-1e-9, 1e-9]] as const) {
      for (const most of [3, 5, 9]) {
        const found = roundNumbers(low, high, most);
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(most);
        expect(found[0]).toBeGreaterThanOrEqual(low - 1e-9 * (high - low));
        expect(found.at(-1)).toBeLessThanOrEqual(high + 1e-9 * (high - low));
      }
    }
  });

  it("are written with the decimals that tell them apart", () => {
    expect([0, 0.25, 0.5].map((value) => tickText(value, 0.25))).toEqual(["0", "0.25", "0.5"]);
    expect(tickText(-1500, 500)).toBe("−1,500");
    expect(tickText(1000.5, 0.5)).toBe("1,000.5");
    expect(tickText(0.3, 0.1)).toBe("0.3");
  });

  it("name the edges for what has no place", () => {
    const linear = ticksOf(scaleOf(extentOf([floats(0, 1, Infinity)]), 0, 300), 40);
    expect(linear.find((tick) => tick.edge)?.text).toBe("∞");
    const rates = ticksOf(scaleOf(extentOf([floats(0, 0.5, 1, 0.01, 0.99)], { kind: "normal-deviate" }), 0, 300), 40);
    expect(rates.filter((tick) => tick.edge).map((tick) => tick.text)).toEqual(["0 %", "100 %"]);
    const places = rates.map((tick) => tick.pixel).sort((a, b) => a - b);
    places.slice(1).forEach((pixel, i) => expect(pixel - places[i]!).toBeGreaterThanOrEqual(39));
  });
});

describe("the threshold search", () => {
  const slow = (threshold: Float64Array, ladder: Int32Array, at: number) => {
    let found = -1;
    ladder.forEach((place, rung) => threshold[place]! >= at && (found = rung));
    return found;
  };
  const cases: Record<string, Float64Array> = {
    descending: floats(Infinity, 0.9, 0.7, 0.7, 0.2, 0),
    ascending: floats(0, 0.2, 0.7, 0.7, 0.9, Infinity),
    "in no order": floats(0.3, 0.9, -1, 0.5, 0.9),
    "with gaps": floats(NaN, 0.8, NaN, 0.4, NaN),
    "of one point": floats(0.5),
    "of no point": floats(),
    "of undefined ones": floats(NaN, NaN),
  };
  for (const [name, threshold] of Object.entries(cases)) {
    it(`finds the last point at or above a threshold, ${name}`, () => {
      const ladder = ladderOf(threshold);
      const falling = Array.from(ladder, (place) => threshold[place]!);
      expect(falling).toEqual([...falling].sort((a, b) => (a === b ? 0 : b - a)));
      expect(ladder.length).toBe(threshold.filter((value) => !Number.isNaN(value)).length);
      for (const at of [-Infinity, -1, 0, 0.2, 0.3, 0.45, 0.7, 0.71, 0.9, 2, Infinity]) {
        expect(rungAt(threshold, ladder, at)).toBe(slow(threshold, ladder, at));
        expect(heldRung(threshold, ladder, at)).toBe(ladder.length ? Math.max(0, slow(threshold, ladder, at)) : -1);
      }
      expect(rungAt(threshold, ladder, NaN)).toBe(-1);
    });
  }

  it("finds no point where a series is undefined: above its highest threshold, and below its lowest where it ends", () => {
    const threshold = floats(0.9, 0.7, 0.2);
    const ladder = ladderOf(threshold);
    const found = (at: number, ends: boolean) => pointAt(threshold, ladder, at, ends);
    expect([2, 0.91].map((at) => found(at, false))).toEqual([-1, -1]);
    expect([0.9, 0.8, 0.2, 0, -1].map((at) => found(at, false))).toEqual([0, 0, 2, 2, 2]);
    expect([0.9, 0.8, 0.2, 0.19, -1].map((at) => found(at, true))).toEqual([0, 0, 2, -1, -1]);
  });

  it("steps to another threshold, and stays at the ends", () => {
    const threshold = floats(Infinity, 0.9, 0.7, 0.7, 0.2);
    const ladder = ladderOf(threshold);
    expect(rungBeside(threshold, ladder, 1, 1)).toBe(2);
    expect(rungBeside(threshold, ladder, 2, 1)).toBe(4);
    expect(rungBeside(threshold, ladder, 4, 10)).toBe(4);
    expect(rungBeside(threshold, ladder, 4, -10)).toBe(0);
  });
});

describe("the nearest point", () => {
  it("is that of the nearest series, whatever is undefined", () => {
    const all = [{ px: pixels(0, 10, NaN), py: pixels(0, 10, 5) }, null, { px: pixels(4, 8), py: pixels(NaN, 9) }, { px: pixels(), py: pixels() }];
    expect(nearest(all, 9, 8)).toMatchObject({ series: 2, point: 1 });
    expect(nearest(all, -3, 4)).toEqual({ series: 0, point: 0, distance: 5 });
    expect(nearest([], 1, 1)).toBeNull();
    expect(nearest([{ px: pixels(NaN), py: pixels(1) }], 1, 1)).toBeNull();
  });

  it("looks across first where x is the threshold", () => {
    const all = [{ px: pixels(0, 50), py: pixels(100, 0) }];
    expect(nearest(all, 20, 0)!.point).toBe(1);
    expect(nearest(all, 20, 0, true)!.point).toBe(0);
  });
});

describe("lines", () => {
  it("know on which side of its point a value holds", () => {
    expect(stepSide([3, 2, 2, 1])).toBe("after");
    expect(stepSide([1, 2, 3])).toBe("before");
    expect(stepSide([1, 3, 2])).toBeNull();
    expect(stepSide([Infinity, 1, 0])).toBe("after");
  });

  it("go up stairs", () => {
    const [x, y] = staircase(pixels(3, 2, 1), pixels(10, 20, 30), "after");
    expect([...x]).toEqual([3, 2, 2, 1, 1]);
    expect([...y]).toEqual([10, 10, 20, 20, 30]);
    const [, up] = staircase(pixels(1, 2), pixels(10, 20), "before");
    expect([...up]).toEqual([10, 20, 20]);
    expect(staircase(pixels(1), pixels(2), "after")).toEqual([pixels(1), pixels(2)]);
    expect(staircase(pixels(), pixels(), "after")).toEqual([pixels(), pixels()]);
  });

  it("break where a value is undefined", () => {
    expect(runs([1, NaN, 2, 3], [0, 0, 0, 0])).toEqual([[0, 1], [2, 4]]);
    expect(runs([1, 2], [NaN, NaN])).toEqual([]);
    expect(runs([])).toEqual([]);
  });

  it("carry markers at equal distances", () => {
    const found = along(pixels(0, 10, 10), pixels(0, 0, 10), 4, 8);
    expect(found).toEqual([[4, 0], [10, 2], [10, 10]]);
    expect(along(pixels(0, NaN, 10), pixels(0, 0, 0), 1, 1)).toEqual([]);
  });

  it("become pixels", () => {
    const scale = scaleOf(extentOf([floats(0, 1)]), 100, 0);
    expect([...placed(floats(0, 0.5, 1, NaN), scale)]).toEqual([100, 50, 0, NaN]);
    const far = placed(floats(0.5, -3.7e12), scale); // a line to it must not have dashes and marks for ever
    expect(along(pixels(0, 1), far, 30, 150).length).toBeLessThan(100);
  });
});

describe("looks", () => {
  it("never differ by colour alone", () => {
    const series = { id: "a", name: "a", x: floats(), y: floats() };
    const looks = Array.from({ length: 32 }, (_, color) => lookOf({ ...series, color }));
    expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(32);
    const shapes = looks.slice(0, 8).map((look) => JSON.stringify([look.dash, look.marker]));
    expect(new Set(shapes).size).toBe(8);
  });
});

describe("names of marks", () => {
  it("do not cover each other as long as there is room", () => {
    const inside = { left: 0, top: 0, width: 200, height: 100 };
    const wanted = Array.from({ length: 4 }, (_, i) => ({ text: `${i}`, width: 60, places: [0, 1, 2, 3].map((row) => [150, row * 15] as [number, number]) }));
    const boxes = placeLabels(wanted, inside).map(({ box }) => box);
    expect(new Set(boxes.map((box) => box.top)).size).toBe(4);
    boxes.forEach((box) => expect(box.left + box.width).toBeLessThanOrEqual(200));
  });
});

describe("rows", () => {
  it("are spread evenly, the ends among them", () => {
    expect(spreadRows(3, 200)).toEqual([0, 1, 2]);
    const some = spreadRows(10_000, 200);
    expect(some.length).toBe(200);
    expect([some[0], some.at(-1)]).toEqual([0, 9999]);
    expect(new Set(some).size).toBe(200);
    expect(spreadRows(0, 200)).toEqual([]);
  });
});

describe("dates on an axis", () => {
  const day = (text: string): number => Date.parse(`${text}Z`) / 864e5;
  const texts = (from: string, to: string, most = 6): string[] => roundDates(day(from), day(to), most).map((tick) => tick.text);
  it("are round: days, first days of months, and of years", () => {
    expect(texts("2024-01-01", "2024-01-06")).toEqual(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-06"]);
    expect(texts("2024-01-20", "2024-05-10")).toEqual(["2024-02", "2024-03", "2024-04", "2024-05"]);
    expect(texts("2019-11-05", "2023-02-01", 4)).toEqual(["2020", "2021", "2022", "2023"]);
    expect(texts("1890-01-01", "2023-02-01", 4)).toEqual(["1900", "1950", "2000"]);
    expect(texts("2024-01-01T00:00", "2024-01-01T12:00", 4)).toEqual(["2024-01-01", "03:00", "06:00", "09:00", "12:00"]);
  });
  it("are never more than there is room for, and at least one", () => {
    for (const days of [0.3, 2, 11, 40, 100, 400, 3000, 40_000]) {
      for (const most of [2, 5, 9]) {
        const ticks = roundDates(19_000.2, 19_000.2 + days, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const tick of ticks) expect(tick.value).toBeGreaterThanOrEqual(19_000.2 - 1e-9);
      }
    }
    const [only] = ticksOf(scaleOf(extentOf([floats(19_000)]), 0, 300), 92, { dates: true });
    expect(only!.text).toMatch(/^\d{4}/);
  });
});

describe("months on an axis", () => {
  it("stand above the year, which is named once", () => {
    const ticks = roundDates(Date.UTC(2023, 10, 1) / 864e5, Date.UTC(2024, 3, 2) / 864e5, 6);
    expect(ticks.map(({ month, year }) => [month, year])).toEqual([["Nov", "2023"], ["Dec", undefined], ["Jan", "2024"], ["Feb", undefined], ["Mar", undefined], ["Apr", undefined]]);
  });
});
