import { describe, expect, it } from "vitest";
import type { About, CurveAnswer } from "../src/answers";
import type { Best, OptimumAnswer, Rate } from "../src/reading/answers";
import { withoutRange } from "../src/reading/Counts";
import { bestMarks, freshOf } from "../src/reading/marks";
import { caseModel, casesQuestion, comparedModels, differenceQuestion, endsOf, isoQuestion, optimumQuestion, readingQuestion, shownOf } from "../src/reading/questions";
import { readingDefaults, type ReadingState } from "../src/reading/state";
import { nameOf } from "../src/reading/Swatch";

const floats = (...values: number[]) => Float64Array.from(values);
const about = { models: ["alpha", "beta", "gamma"] } as About;
const settings = { x: "threshold", y: "TP", sort_by: null, band: "bootstrap" };
const line = (model: string | null) => ({ model, fold: null, target: "yes", threshold: floats(Infinity, 0.9, 0.1), x: floats(0, 0.5, 1), y: floats(0, 1, 2) });
const answer = { settings, lines: [line("alpha"), line("beta")] } as unknown as CurveAnswer;
const shown = (data: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => shownOf({ ...answer, settings: { ...settings, ...more } }, { kind: "curve", data }, about);
const reading = (more: Partial<ReadingState>): ReadingState => ({ ...readingDefaults, ...more });

describe("what is asked about the curve in sight", () => {
  it("is about the rows it was drawn of, without its band", () => {
    const state = reading({ optimum: "max", iso_cost: { fp: 1, fn: 2 }, between: [0, 1] });
    const of = shown({ models: ["beta"], where: "age < 40" });
    for (const question of [readingQuestion(of, null), optimumQuestion(of, state), isoQuestion(of, state), casesQuestion(of, state)]) {
      expect(question).toMatchObject({ data: { models: ["beta"], where: "age < 40" }, curve: { y: "TP", band: "none" } });
    }
  });
  it("asks for no model that the curve is not drawn of", () => {
    const state = reading({ between: [0, 1], cases_of: "beta", difference: ["beta", "gamma"] });
    expect(caseModel(shown(), state)).toBe("beta");
    expect(comparedModels(shown(), state)).toEqual(["beta", "gamma"]);
    const alone = shown({ models: ["alpha"] });
    expect(casesQuestion(alone, state)).toMatchObject({ model: "alpha" });
    expect([comparedModels(alone, state), differenceQuestion(alone, state)]).toEqual([null, null]);
    expect(differenceQuestion(shown({ models: ["alpha", "gamma"] }), state)).toMatchObject({ models: ["alpha", "gamma"] });
  });
  it("has cursors only of what the rows are sorted by", () => {
    const state = reading({ between: [20, 30], between_of: "age" });
    expect(endsOf(shown(), state)).toBeNull();
    expect(endsOf(shown({}, { sort_by: "age" }), state)).toEqual([20, 30]);
    expect(endsOf(shown({ target: "no" }, { sort_by: "age" }), state)).toBeNull();
  });
});

describe("what is marked on the chart", () => {
  const best = (model: string, low: number, high: number): Best =>
    ({ model, point: { threshold: 0.5, x: 0.5, y: 1 }, stretches: [{ low: 0.1, high: 0.12, x: floats(), y: floats() }, { low, high, x: floats(low, high), y: floats(1, 1) }] }) as unknown as Best;
  const found = (y: string, ...results: Best[]): OptimumAnswer => ({ y, goal: "max", results });

  it("is of its model by colour and by name, and says of which measure", () => {
    const marks = bestMarks(found("CA", best("alpha", 0.2, 0.6), best("beta", 0.3, 0.7)), answer);
    expect(marks.map((mark) => [mark.kind, mark.label ?? "", "color" in mark ? mark.color : null])).toEqual([["stretch", "", 0], ["stretch", "", 1], ["point", "best CA: alpha, beta", null]]);
  });
  it("needs no name where there is one model, and y itself is best", () => {
    const marks = bestMarks(found(" TP ", best("alpha", 0.2, 0.6)), answer);
    expect(marks.map((mark) => [mark.kind, mark.label ?? ""])).toEqual([["region", ""], ["region", "as good"], ["point", "best"]]);
  });
  it("is a part of the line where thresholds are no places", () => {
    const roc = { ...answer, settings: { ...settings, x: "FPR" } };
    const marks = bestMarks(found("TP", best("alpha", 0.2, 0.6)), roc);
    expect(marks.map((mark) => mark.kind)).toEqual(["stretch", "point"]);
  });
  it("is nothing of an earlier question or of one that failed", () => {
    const of = (more: object) => freshOf({ answer: 1, stale: false, busy: false, progress: null, error: null, cancel: () => {}, retry: () => {}, ...more });
    expect([of({}), of({ stale: true }), of({ error: { kind: "crash", message: "" } })]).toEqual([1, null, null]);
  });
});

describe("a line", () => {
  it("is called by its class only where classes are told apart", () => {
    const one = { model: null, fold: null, target: "yes" };
    expect([nameOf(one, false), nameOf(one, true), nameOf({ ...one, model: "a", fold: "1" }, true)]).toEqual(["all rows", "yes", "a, fold 1, yes"]);
  });
});

describe("rates without intervals", () => {
  const rate = (title: string, low: number | null, reason: string | null, value: number | null = 0.5): Rate => ({ name: title, title, value, low, high: low, reason });
  it("say why once a reason", () => {
    const rates = [rate("Recall (TPR)", null, "again"), rate("Precision", null, "again"), rate("F1", null, "no share"), rate("CA", 0.4, null), rate("NPV", null, "0/0", null)];
    expect(withoutRange(rates)).toEqual([{ reason: "again", names: ["Recall", "Precision"] }, { reason: "no share", names: ["F1"] }]);
  });
});
