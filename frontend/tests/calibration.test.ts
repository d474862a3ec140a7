// How the calibration room's settings become questions, and lines to type.
import { describe, expect, test } from "vitest";
import { placed, reach } from "../src/calibration/ReliabilityView";
import type { About } from "../src/answers";
import { viewsOf } from "../src/calibration/choices";
import { binsText, effectText, groupsQuestion, planQuestion, reliabilityQuestion, shownModel, testQuestion, unheard } from "../src/calibration/questions";
import { calibrationDefaults } from "../src/calibration/state";
import { dataDefaults } from "../src/data/state";
import { TESTS } from "../src/calibration/PlanSection";
import { rowsSaid } from "../src/models/questions";

const about = (classes: string[], models: string[] = []): About =>
  ({ k: classes.length, classes: classes.map((name) => ({ name, n: 1 })), positive: classes.at(-1), models, has_prob: true }) as unknown as About;
const parts = (calibration: object, data: object = {}) => ({ data: { ...dataDefaults, ...data }, calibration: { ...calibrationDefaults, ...calibration } });

describe("bins", () => {
  const named = (fields: object) => binsText({ ...calibrationDefaults, ...fields });
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
  expect(shownModel(loans, parts({ model: "unheard of" }))).toBe("careful");
  expect(shownModel(about(["no", "yes"]), parts({}))).toBeNull();
});

test("views of two classes begin with the target, of more with the top label", () => {
  expect(viewsOf(about(["no", "yes"]), null).map((one) => one.value)).toEqual(["", "one-vs-rest:no", "top-label", "classwise", "joint"]);
  expect(viewsOf(about(["no", "yes"]), "no")[1]!.value).toBe("one-vs-rest:yes");
  expect(viewsOf(about(["a", "b", "c"]), null).map((one) => one.value)).toContain("one-vs-rest:b");
});

test("an effect has its usual size until another is typed", () => {
  expect(effectText(calibrationDefaults)).toBe("overconfident:1.2");
  expect(effectText({ effect: "shift", sizes: { shift: -0.1 } })).toBe("shift:-0.1");
});

test("a plan is of the omnibus alone until another test is asked for", () => {
  expect(planQuestion(parts({}), "a")).toMatchObject({ statistic: "omnibus" });
  expect([TESTS[0]!.value, TESTS.at(-1)!.value]).toEqual(["omnibus", "auto"]);
});

describe("what a section cannot take is said", () => {
  const told = (section: Parameters<typeof unheard>[0], fields: object) => unheard(section, parts(fields)).join(" ");
  test("nothing where all is as usual", () => {
    for (const section of ["diagnosis", "groups", "worst", "sensitivity"] as const) expect(unheard(section, parts({}))).toEqual([]);
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
    expect(told("diagnosis", { bins: 7, distance: "log" })).toBe("The bins and distance chosen above play no part here.");
    expect(told("diagnosis", { distance: "log" })).toBe("The distance chosen above plays no part here.");
    expect(told("sensitivity", { scheme: "isotonic", distance: "log" })).toBe("The bins chosen above play no part here.");
    expect(told("groups", { scheme: "isotonic" })).toContain("15 of equal width");
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

describe("the words beside an error", () => {
  test("place it in its range, and leave the verdict to the test", () => {
    expect([placed(0.03, 0.02, 0.05), placed(0.06, 0.02, 0.05), placed(null, 0.02, 0.05), placed(0.01, 0.02, 0.05)].map((text) => text.split(" ").slice(2, 4).join(" "))).toEqual(["is within", "is larger", "is larger", "is smaller,"]);
    const said = reach({ view: "one-vs-rest:fraud" });
    for (const part of ["one-vs-rest of fraud", "verdict", "calibration test"]) expect(said).toContain(part);
  });
});
