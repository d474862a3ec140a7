import { lookOf } from "../src/chart/look";
import { describe, expect, it } from "vitest";
import type { About } from "../src/answers";
import type { ErrorAnswer } from "../src/calibration/answers";
import { NO_VOCABULARY, type Vocabulary } from "../src/formula/vocabulary";
import { reliabilityFigure } from "../src/overview/figures";
import { overviewQuestions, type Parts, shownModels } from "../src/overview/questions";
import { overviewDefaults } from "../src/overview/state";
import { stepTo } from "../src/overview/steps";
import { DEFAULTS } from "../src/state";
import { REQUESTS } from "./requests";

const SIX = ["a", "b", "c", "d", "e", "f"];
const about = { n: 100, rows: 600, k: 2, models: SIX, positive: "yes", has_prob: true, has_score: false } as About;
const parts: Parts = { data: DEFAULTS.data, calibration: DEFAULTS.calibration, models: DEFAULTS.models, overview: overviewDefaults };
const vocabulary: Vocabulary = { ...NO_VOCABULARY, payoffs: { y_title: "profit per row", usual: overviewDefaults.payoffs, formulas: [{ column: null, y: "TP" }, { column: "amount", y: "cumm(amount)" }] } };
const asked = (more: Partial<About> = {}, state: Partial<Parts> = {}) => overviewQuestions({ ...about, ...more }, { ...parts, ...state }, REQUESTS, vocabulary);

describe("the models that are shown", () => {
  it("are the first few, those chosen here, and only what the data panel leaves", () => {
    expect(shownModels(about, parts)).toEqual(["a", "b", "c", "d"]);
    expect(shownModels(about, { ...parts, overview: { ...overviewDefaults, models: ["f", "b"] } })).toEqual(["b", "f"]);
    expect(shownModels(about, { ...parts, data: { ...parts.data, models: ["e", "f"] }, overview: { ...overviewDefaults, models: ["a"] } })).toEqual(["e", "f"]);
    expect(shownModels({ ...about, models: [] }, parts)).toEqual([]);
  });
});

describe("what the overview asks", () => {
  it("is about the models that are shown, and the question of other rooms where all are", () => {
    expect(asked().scores.data).toMatchObject({ models: ["a", "b", "c", "d"] });
    expect(asked({ models: ["a", "b"] }).scores.data).toMatchObject({ models: null });
  });

  it("leaves out what the table has nothing for", () => {
    const kinds = (more: Partial<About>) => Object.entries(asked(more)).flatMap(([name, question]) => (question === null ? [] : [name]));
    expect(kinds({})).toEqual(["scores", "test", "reliability", "roc", "precisionRecall", "profit"]);
    expect(kinds({ has_prob: false, has_score: true })).toEqual(["scores", "roc", "precisionRecall", "profit"]);
    expect(kinds({ has_prob: false })).toEqual(["scores"]);
  });

  it("measures the calibration error of the cards as the diagram beside them does", () => {
    expect(asked().scores).not.toHaveProperty("bins");
    const calibration = { ...parts.calibration, view: "one-vs-rest:b", scheme: "equal-size", bins: 7, resamples: 199 };
    const { scores, reliability, test } = asked({ k: 3 }, { calibration, models: { ...parts.models, view: "classwise", bins: "isotonic" } });
    expect(scores).toMatchObject({ view: reliability!.view, bins: reliability!.bins, resamples: reliability!.resamples });
    expect(test!.view).toBeNull();
  });

  it("draws the profit of the payoffs by the formula of the server", () => {
    const payoffs = { TP: 10, FP: -5, FN: 0, TN: 0 };
    expect(asked({}, { overview: { ...overviewDefaults, payoffs } }).profit!.curve).toMatchObject({ preset: null, x: "threshold", y: "TP", params: payoffs });
    expect(asked({}, { overview: { ...overviewDefaults, amount: "amount" } }).profit!.curve).toMatchObject({ y: "cumm(amount)" });
    expect(overviewQuestions(about, parts, REQUESTS, NO_VOCABULARY).profit).toBeNull();
  });
});

describe("the small reliability diagram", () => {
  const column = Float64Array.of(0.1, 0.9);
  const side = (low: number, high: number) => ({ domain: [low, high], ends: [false, false] });
  const square = (low: number, high: number) => ({ x: side(low, high), y: side(low, high) });
  const axes = { probability: square(0, 1), "log-odds": square(0.1, 0.9) };
  const curve = { axes, view: "one-vs-rest:yes", level: 0.95, x_title: "x", y_title: "y", mean_probability: column, outcome_share: column, weight: column, band_low: column, band_high: column };
  const of = (model: string, more = {}) => ({ model, curve: { ...curve, ...more } }) as unknown as ErrorAnswer;

  it("has a band and a line of every model", () => {
    expect(reliabilityFigure([of("a")], "yes")!.series.map((one) => one.id)).toEqual(["expected a", "a"]);
    const both = reliabilityFigure([of("a"), of("b")], "yes")!.series;
    expect(both.filter((one) => one.muted && one.low).length).toBe(2);
    expect(both.filter((one) => !one.muted).map((one) => [one.id, one.color])).toEqual([["a", 0], ["b", 1]]);
    expect(reliabilityFigure([{ model: "a", curve: null } as ErrorAnswer], "yes")).toBeNull();
  });

  it("has bands in the colours of their models, and one in grey where it is alone", () => {
    const bands = (models: ErrorAnswer[]) => reliabilityFigure(models, "yes")!.series.filter((one) => one.low).map((one) => lookOf(one).ink);
    expect(bands([of("a")])).toEqual(["--pl-draws"]);
    expect(bands([of("a"), of("b"), of("c")])).toEqual(["--pl-line1", "--pl-line2", "--pl-line3"]);
  });

  it("has the axes that hold every model, of probabilities or of log-odds", () => {
    const narrow = { axes: { probability: square(0, 0.06), "log-odds": square(0.001, 0.3) } };
    const other = { axes: { probability: square(0, 0.02), "log-odds": { x: side(0.002, 0.4), y: { domain: [0.01, 0.2], ends: [true, false] } } } };
    const models = [of("a", narrow), of("b", other)];
    expect(reliabilityFigure(models, "yes")!.x).toMatchObject({ domain: [0, 0.06] });
    expect(reliabilityFigure(models, "yes", "log-odds")).toMatchObject({ x: { scale: "logit", domain: [0.001, 0.4] }, y: { domain: [0.001, 0.3], ends: [true, false] } });
  });

  it("carries the threshold only where its probabilities are those of the class that is detected", () => {
    const linked = (view: string, target: string) => reliabilityFigure([of("a", { view })], target)!.series.at(-1)!.threshold !== undefined;
    expect([linked("one-vs-rest:yes", "yes"), linked("one-vs-rest:yes", "no"), linked("top-label", "yes")]).toEqual([true, false, false]);
  });
});

describe("the next step", () => {
  it("leads to the room of its request, and opens the section there", () => {
    expect(stepTo("recalibrate", "b", DEFAULTS)).toMatchObject({ room: "calibration", calibration: { model: "b", open: ["recalibration"] } });
    expect(stepTo("compare", null, DEFAULTS)).toEqual({ room: "models" });
    const open = { ...DEFAULTS, calibration: { ...DEFAULTS.calibration, open: ["plan"] } };
    expect(stepTo("plan", null, open).calibration!.open).toEqual(["plan"]);
    expect(stepTo("test", null, open).calibration!.open).toEqual(["plan"]);
  });
});
