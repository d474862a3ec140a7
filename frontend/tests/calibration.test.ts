// How the calibration room's settings become questions, and lines to type.
import { describe, expect, test } from "vitest";
import type { About } from "../src/answers";
import { viewsOf } from "../src/calibration/choices";
import { binsText, effectText, recalibrateLines, reliabilityQuestion, shellWord, shownModel, testQuestion } from "../src/calibration/questions";
import { calibrationDefaults } from "../src/calibration/state";
import { dataDefaults } from "../src/data/state";

const about = (classes: string[], models: string[] = []): About =>
  ({ k: classes.length, classes: classes.map((name) => ({ name, rows: 1 })), positive: classes.at(-1), models, has_prob: true }) as unknown as About;
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

test("lines to type are quoted", () => {
  expect(shellWord("loans.csv")).toBe("loans.csv");
  expect(shellWord("it's $HOME")).toBe("'it'\\''s $HOME'");
  const { shell, python } = recalibrateLines("my loans.csv", "isotonic", "bold one");
  expect(shell).toBe("plumbline recalibrate 'my loans.csv' --models 'bold one' --method isotonic --apply new.csv --out calibrated.csv --save-map map.json");
  expect(python).toContain('pb.recalibrate(holdout, "isotonic")');
});
