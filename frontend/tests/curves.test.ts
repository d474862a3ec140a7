import { describe, expect, it } from "vitest";
import { lookOf } from "../src/chart/look";
import type { About } from "../src/answers";
import { areasOf, figureOf, secondQuestion, seriesOf, type DrawnCurve } from "../src/curves/answer";
import { presetOf, sliderRange, withFormula, withFormulas, withPreset } from "../src/curves/edits";
import { heavy, inForce, problems, refused } from "../src/curves/rules";
import { curveDefaults, type CurveState } from "../src/curves/state";
import { NO_VOCABULARY, type PresetHelp, type Vocabulary } from "../src/formula/vocabulary";

const about = { n: 1000, k: 3, folds: ["1", "2"] } as About;
const preset = (more: Partial<PresetHelp>): PresetHelp => ({
  name: "roc", title: "ROC curve", x: "FPR", y: "TPR", x_title: "false positive rate", y_title: "true positive rate", explanation: "", needs: null, params: {},
  sort_by: null, direction: "descending", merge: "last", average: "merge", shape: "line", guide: null, scale: "linear", square: true, ...more,
});
const errors = preset({ name: "errors", x: null, y: "1 - eCA", x_title: null, needs: "x", merge: "none", average: "smooth" });
const vocabulary: Vocabulary = {
  ...NO_VOCABULARY,
  presets: [preset({}), errors],
  functions: [],
  variables: [{ name: "`chest pain`", title: "chest pain", group: "attribute", level: "row", kind: "number", meaning: "", formula: null, categories: [], attribute: true, threshold: false }],
};
const state = (more: Partial<CurveState>): CurveState => ({ ...curveDefaults, ...more });
const problem = (more: Partial<CurveState>, fixed: PresetHelp | null = null, table = about) => Object.keys(problems(state(more), inForce(state(more), fixed), table));

describe("what is in force", () => {
  it("is what was chosen, else the preset's, else what the answer settled on, else the default", () => {
    expect(inForce(state({}), null)).toEqual({ sort_by: null, direction: "descending", average: "merge", merge: "last", fixed: false });
    expect(inForce(state({}), errors)).toMatchObject({ average: "smooth", merge: "none" });
    expect(inForce(state({ average: "none" }), errors)).toMatchObject({ average: "none" });
    expect(inForce(state({ band: "folds" }), preset({}))).toMatchObject({ average: "vertical" });
    expect(inForce(state({}), null, { average: "smooth", merge: "none" })).toMatchObject({ average: "smooth", merge: "none" });
  });
});

describe("what cannot be had together", () => {
  it("follows the rules of the settings", () => {
    expect(problem({})).toEqual([]);
    expect(problem({ band: "bootstrap", average: "vertical" })).toEqual(["band"]);
    expect(problem({ band: "folds" })).toEqual([]);
    expect(problem({ band: "folds", average: "merge" })).toEqual(["band"]);
    expect(problem({ band: "folds" }, errors)).toEqual(["band"]);
    expect(problem({ multiclass: "macro", average: "vertical" })).toEqual(["multiclass"]);
    expect(problem({ multiclass: "macro", band: "bootstrap" })).toEqual(["band", "multiclass"]);
    expect(problem({ direction: "unsorted", sort_by: "age" })).toEqual(["direction"]);
    expect(problem({ average: "none" }, null, { ...about, folds: [] })).toEqual(["average"]);
  });
  it("is said of the choice", () => {
    expect(refused("band", state({ average: "none" }), inForce(state({ average: "none" }), null), about)).toHaveProperty("bootstrap");
  });
  it("knows what takes long", () => {
    expect(heavy(state({ band: "bootstrap" }), inForce(state({}), null), 10)).toBe(true);
    expect(heavy(state({}), inForce(state({}), errors), 400_000)).toBe(true);
    expect(heavy(state({}), inForce(state({}), errors), 1000)).toBe(false);
  });
});

describe("edits", () => {
  it("choose a preset as it is", () => {
    const chosen = withPreset(state({ y: "CA", hull: true, band: "folds", multiclass: "macro" }), "errors", "age");
    expect(chosen).toEqual({ ...curveDefaults, preset: "errors", x: "age" });
    expect(presetOf(vocabulary, chosen)).toBe(errors);
  });
  it("copy its formulas and settings", () => {
    const own = withFormulas(state({ preset: "errors", x: "chest pain" }), errors, vocabulary);
    expect(own).toMatchObject({ preset: null, x: "`chest pain`", y: "1 - eCA", x_title: null, merge: "none", average: "smooth", direction: null });
    expect(withFormulas(state({}), preset({}), vocabulary)).toMatchObject({ x: "FPR", x_title: "false positive rate", merge: null });
    expect(withFormula("y", "CA")).toEqual({ y: "CA", y_title: null });
  });
  it("guess the range of a slider", () => {
    expect(sliderRange(1, 1)).toMatchObject({ low: 0, high: 5 });
    expect(sliderRange(30, 30)).toMatchObject({ low: 0, high: 200 });
    expect(sliderRange(0.3, 0.3)).toMatchObject({ low: 0, high: 1 });
    expect(sliderRange(-2, -2)).toMatchObject({ low: -10, high: 0 });
    expect(sliderRange(0, 0)).toMatchObject({ low: -1, high: 1 });
    expect(sliderRange(1, 40)).toMatchObject({ low: 0, high: 40 });
  });
});

const floats = (...values: number[]) => Float64Array.from(values);
const line = (more: object) => ({ name: "a", model: "a", fold: null, target: "yes", points: 2, n: 2, x: floats(0, 1), y: floats(0, 1), threshold: floats(1, 0), more: {}, dropped: {}, ends: false, ...more });
const answer = (lines: object[], more: object = {}): DrawnCurve =>
  ({ title: "ROC curve", x_title: "x", y_title: "y", x_names: [], settings: { average: "merge", band: "none" }, shape: "line", scale: "linear", square: true, guides: [], floor: null, lines, ...more }) as unknown as DrawnCurve;

describe("the chart of an answer", () => {
  it("gives lines of one model one colour, thin where they are folds", () => {
    const series = seriesOf(answer([line({ name: "a 1", fold: "1" }), line({ name: "a 2", fold: "2" }), line({ name: "b 1", model: "b" }), line({ name: "b 2", model: "b" })], { settings: { average: "none" } }));
    expect(series.map((one) => one.color)).toEqual([0, 0, 1, 1]);
    expect(series.every((one) => one.thin)).toBe(true);
  });
  it("draws bands from intervals, and from deviations only where they are asked for", () => {
    const more = { y_sd: floats(0.1, 0.2) };
    expect(seriesOf(answer([line({ more })]))[0]!.low).toBeUndefined();
    const [drawn] = seriesOf(answer([line({ more })], { settings: { average: "vertical", band: "folds" } }));
    expect(drawn!.high).toEqual(floats(0.1, 1.2));
    expect(seriesOf(answer([line({ more: { y_low: floats(0, 0.5), y_high: floats(0, 1) } })]))[0]!.low).toEqual(floats(0, 0.5));
  });
  it("leaves out lines without points and puts the second y to the right", () => {
    const figure = figureOf(answer([line({}), line({ name: "b", points: 0 })]), answer([line({})], { y_title: "CA" }));
    expect(figure.series.map((one) => [one.name, one.axis ?? "left"])).toEqual([["a", "left"], ["a: CA", "right"]]);
    expect(figure.square).toBe(false);
  });
  it("gives second y and hull a look that no model has", () => {
    const hull = { x: floats(0, 1), y: floats(0, 1), threshold: floats(1, 0) };
    const lines = [line({ hull }), line({ name: "b", model: "b", hull }), line({ name: "c", model: "c", hull })];
    const { series } = figureOf(answer(lines), answer([line({}), line({ name: "b", model: "b" }), line({ name: "c", model: "c" })], { y_title: "CA" }));
    const looks = series.map((one) => lookOf(one)).map(({ ink, dash }) => `${ink} ${dash.join(" ")}`);
    expect(new Set(looks).size).toBe(9);
    const models = Array.from({ length: 20 }, (_, color) => lookOf({ ...series[0]!, color }).dash.join(" "));
    for (const one of series.slice(3)) expect(models).not.toContain(lookOf(one).dash.join(" "));
    expect(new Set(series.slice(6).map((one) => one.color))).toEqual(new Set([3, 4, 5]));
  });
  it("does not join points that jump, and says of dates that they are", () => {
    expect(seriesOf(answer([line({})], { shape: "points" }))[0]!.style).toBe("points");
    expect(figureOf(answer([line({})], { dates: [true, false] }), null).x.dates).toBe(true);
    expect(figureOf(answer([line({})], { dates: [true, false] }), null).y.dates).toBeUndefined();
  });
  it("tells the area of every line that has one, with its interval and how it was found", () => {
    const lines = [line({ area: 0.83456, area_range: [0.8, 0.86], area_method: "DeLong" }), line({ name: "b", area: 0.5, area_range: null, area_method: null }), line({ name: "c", area: null, area_range: null, area_method: null })];
    const said = areasOf(answer(lines, { area_name: "AUC", settings: { level: 0.9 } }));
    expect(said).toEqual([
      { key: "a", label: "a: AUC", value: 0.83456, interval: "(90 %: 0.8 to 0.86)", method: "DeLong" },
      { key: "b", label: "b: AUC", value: 0.5, interval: null, method: undefined },
    ]);
    expect(areasOf(answer(lines, { area_name: null }))).toEqual([]);
  });
  it("asks for the second y as a curve of its own", () => {
    const second = secondQuestion({ kind: "curve", data: {}, curve: { preset: "roc", y_title: "mine", band: "bootstrap" }, hull: true, y2: "CA" });
    expect(second).toEqual({ kind: "curve", data: {}, curve: { preset: "roc", y: "CA", y_title: null, band: "none" }, hull: false });
    expect(secondQuestion({ kind: "curve", y2: " " })).toBeNull();
  });
});
