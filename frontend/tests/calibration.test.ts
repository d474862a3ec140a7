// How the calibration room's settings become questions, and lines to type.
import { describe, expect, test } from "vitest";
import type { About } from "../src/answers";
import { binsText, effectText, monitorQuestion, windowAttributes, groupsQuestion, planQuestion, reliabilityQuestion, shownModel, testQuestion, ignoredSettings, requestQuestion } from "../src/calibration/questions";
import { calibrationDefaults } from "../src/calibration/state";
import { dataDefaults } from "../src/data/state";
import { choicesBeside, choicesOf } from "../src/requests";
import { REQUESTS } from "./requests";
import { rowsSaid } from "../src/models/questions";

const about = (classes: string[], models: string[] = []): About =>
  ({ k: classes.length, classes: classes.map((name) => ({ name, n: 1 })), positive: classes.at(-1), models, has_prob: true }) as unknown as About;
const parts = (calibration: object, data: object = {}) => ({ data: { ...dataDefaults, ...data }, calibration: { ...calibrationDefaults, ...calibration }, requests: REQUESTS });

describe("bins", () => {
  const named = (fields: object) => binsText(REQUESTS, { ...calibrationDefaults, ...fields });
  test("have their number, and the fewest rows where they have edges", () => {
    expect(named({})).toBe("equal-width:15");
    expect(named({ scheme: "equal-size", bins: 8, least: 20 })).toBe("equal-size:8,min=20");
    expect(named({ scheme: "isotonic", least: 20 })).toBe("isotonic");
  });
  test("are none where whole vectors are compared", () => expect(named({ view: "joint" })).toBeNull());
});

test("a test is asked only what it knows", () => {
  const ece = testQuestion(parts({ statistic: "ece", view: "classwise" }), "a");
  expect(ece).toMatchObject({ view: "classwise", bins: "equal-width:15", distance: "absolute" });
  const omnibus = testQuestion(parts({ view: "classwise" }), "a");
  expect(omnibus).toMatchObject({ view: null, statistic: "omnibus", model: "a" });
  expect(omnibus).not.toHaveProperty("bins");
});

test("the other models change the picture and not the question behind it", () => {
  expect(reliabilityQuestion(parts({}), "a")).not.toHaveProperty("others");
  expect(reliabilityQuestion(parts({ others: true }), "a")).toHaveProperty("others", true);
});

test("the model shown is the one asked for as long as it is chosen", () => {
  const loans = about(["no", "yes"], ["careful", "boastful"]);
  expect(shownModel(loans, parts({ model: "boastful" }))).toBe("boastful");
  expect(shownModel(loans, parts({ model: "boastful" }, { models: ["careful"] }))).toBe("careful");
  expect(shownModel(loans, parts({ model: "ignoredSettings of" }))).toBe("careful");
  expect(shownModel(about(["no", "yes"]), parts({}))).toBeNull();
});

test("a distance is offered beside the views that have it", () => {
  const offered = (view: string | null) => choicesBeside(choicesOf(REQUESTS, "calibration", "distance"), { view }).map((one) => one.value);
  expect(offered(null)).toContain("hellinger");
  expect(offered("joint")).toEqual(["absolute"]);
});

test("an effect has its usual size until another is typed", () => {
  expect(effectText(REQUESTS, calibrationDefaults)).toBe("overconfident:1.2");
  expect(effectText(REQUESTS, { effect: "shift", sizes: { shift: -0.1 } })).toBe("shift:-0.1");
});

test("a plan is of the omnibus alone until another test is asked for", () => {
  expect(planQuestion(parts({}), "a")).toMatchObject({ statistic: "omnibus" });
});

describe("what a section cannot take is said", () => {
  const told = (section: Parameters<typeof ignoredSettings>[0], fields: object) => ignoredSettings(section, parts(fields)).join(" ");
  test("nothing where all is as usual", () => {
    for (const section of ["diagnosis", "groups", "worst", "sensitivity"] as const) expect(ignoredSettings(section, parts({}))).toEqual([]);
  });
  test("the view, where it is none of one event", () => {
    expect(told("diagnosis", { view: "classwise" })).toContain("view");
    expect(told("groups", { view: "joint" })).toContain("view");
    expect(told("worst", { view: "joint" })).toContain("view");
    expect(told("worst", { view: "classwise" })).toBe("");
    expect(groupsQuestion(parts({ view: "classwise" }), "a", null)).toHaveProperty("view", "classwise");
    expect(groupsQuestion(parts({ view: "classwise" }), "a", "age")).toHaveProperty("view", null);
    expect(told("sensitivity", { view: "joint" })).toContain("view");
  });
  test("bins and distance, where they play no part", () => {
    expect(told("diagnosis", { bins: 7, distance: "log" })).toBe("The bins and distance chosen above do not apply here.");
    expect(told("diagnosis", { distance: "log" })).toBe("The distance chosen above does not apply here.");
    expect(told("sensitivity", { scheme: "isotonic", distance: "log" })).toBe("The bins chosen above do not apply here.");
    expect(told("groups", { scheme: "isotonic" })).toContain("15 equal-width bins");
    expect(told("groups", { bins: 7, distance: "log" })).toBe("");
  });
});

test("scores say which rows they are of", () => {
  const of = (data: object) => rowsSaid({ kind: "scores", data: { where: null, folds: null, ...data } });
  expect(of({})).toBe("all rows");
  expect(of({ where: "age > 40" })).toBe("the rows that the filter leaves");
  expect(of({ folds: ["0"] })).toBe("the rows of the chosen folds");
  expect(of({ where: "age > 40", folds: ["0"] })).toBe("the rows that folds and filter leave");
});

test("windows are attributes of few values, those of time first", () => {
  const attributes = [
    { name: "site", kind: "category", distinct: 3 },
    { name: "id", kind: "category", distinct: 900 },
    { name: "sales_week", kind: "number", low: 1, high: 12 },
    { name: "sold", kind: "date", low: 20000, high: 20030 },
    { name: "weekend_share", kind: "number", low: 0.5, high: 0.9 },
  ] as const;
  expect(windowAttributes({ ...about(["no", "yes"]), attributes: [...attributes] })).toEqual(["sales_week", "sold", "site"]);
  expect(monitorQuestion(parts({}), "a", "sold")).toMatchObject({ kind: "monitor", by: "sold", reference: 1, model: "a" });
});

describe("a request without a section of its own", () => {
  const param = (name: string, more: object = {}) => ({ name, label: name, help: "", default: null, choices: [], least: null, most: null, ...more });
  const row = { name: "sure", title: "How often is it sure?", room: "calibration", section: "Sure", params: { threshold: param("threshold"), by: param("by"), distance: param("distance") } };
  const asked = (fields: object) => requestQuestion({ ...parts(fields), requests: { ...REQUESTS, sure: row } }, "tree", "sure", ["site"]);
  test("asks with the room's settings, the values of its controls, and the first attribute", () => {
    expect(asked({ distance: "log" })).toMatchObject({ kind: "sure", model: "tree", distance: "log", threshold: null, by: "site" });
    expect(asked({ asked: { "sure.threshold": 0.8, "sure.by": "ward" } })).toMatchObject({ threshold: 0.8, by: "ward" });
  });
  test("takes no setting that it does not know", () => expect(Object.keys(asked({}))).not.toContain("bins"));
});
