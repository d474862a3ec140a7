import { describe, expect, it } from "vitest";
import { comparedWith, complete, helpAt, placeOf, quoted, ranked, wordAt } from "../src/formula/completion";
import { NO_VOCABULARY, type Variable, type Vocabulary } from "../src/formula/vocabulary";

const variable = (name: string, more: Partial<Variable> = {}): Variable => ({
  name, title: name, group: "rate", level: "state", kind: "number", meaning: "", formula: null, categories: [], attribute: false, threshold: false, ...more,
});
const WORDS: Vocabulary = {
  ...NO_VOCABULARY,
  variables: [
    variable("purpose", { group: "attribute", level: "row", kind: "category", attribute: true, categories: ["car", "it's"] }),
    variable("`chest pain`", { group: "attribute", level: "row", attribute: true, title: "chest pain" }),
    variable("TP", { group: "count" }),
    variable("TPR"),
    variable("precision"),
    variable("prevalence", { level: "set" }),
    variable("probability", { group: "row", level: "row" }),
  ],
  functions: [
    { name: "cumm", signature: "cumm(f)", meaning: "", level: "state" },
    { name: "total", signature: "total(f)", meaning: "", level: "set" },
  ],
  presets: [],
};
const labels = (text: string, part: "y" | "where" = "y", all = false) => complete(WORDS, text, text.length, part, all).items.map((item) => item.label);

describe("wordAt", () => {
  it("finds names, back-ticked names and texts", () => {
    expect(wordAt("TP / P", 1)).toEqual({ from: 0, to: 2, quote: null });
    expect(wordAt("1 + `chest p", 12)).toEqual({ from: 4, to: 12, quote: "`" });
    expect(wordAt("`a b` + 1", 5)).toEqual({ from: 0, to: 5, quote: null });
    expect(wordAt("purpose == 'ca' or 1", 14)).toEqual({ from: 11, to: 15, quote: "'" });
    expect(wordAt("žleza", 3)).toEqual({ from: 0, to: 5, quote: null });
  });
});

describe("complete", () => {
  it("offers the same start first, whatever the case", () => {
    expect(labels("pre")).toEqual(["precision", "prevalence"]);
    expect(labels("1 + tp")).toEqual(["TP", "TPR"]);
  });
  it("offers nothing without a word unless all are asked for", () => {
    expect(labels("TP + ")).toEqual([]);
    expect(labels("TP + ", "y", true)).toContain("cumm(f)");
    expect(labels("12")).toEqual([]);
  });
  it("offers the values of a category behind a comparison", () => {
    expect(labels("purpose == ")).toEqual(["'car'", `"it's"`]);
    expect(labels("purpose == 'c")).toEqual(["'car'"]);
    expect(labels("purpose in ('car', ")).toEqual(["'car'", `"it's"`]);
    expect(labels("precision == ")).toEqual([]);
  });
  it("leaves out what depends on the threshold where only rows can stand", () => {
    expect(labels("p", "where")).toEqual(["purpose", "prevalence", "probability", "`chest pain`"]);
    expect(labels("cum", "where")).toEqual([]);
  });
  it("puts the caret between the brackets of a function, and adds none where they are", () => {
    const [item] = complete(WORDS, "cu", 2, "y").items;
    expect([item!.insert, item!.caret]).toEqual(["cumm()", 5]);
    expect(complete(WORDS, "cu(eP)", 2, "y").items[0]!.insert).toBe("cumm");
  });
  it("writes names with spaces in back-ticks", () => {
    expect(complete(WORDS, "che", 3, "y").items[0]!.insert).toBe("`chest pain`");
  });
});

describe("helpAt", () => {
  it("tells of the name, or of the function around the caret", () => {
    expect(helpAt(WORDS, "TPR / 2", 2)).toMatchObject({ name: "TPR" });
    expect(helpAt(WORDS, "cumm(3 * (2 + 1))", 14)).toMatchObject({ name: "cumm" });
    expect(helpAt(WORDS, "3 * 2", 1)).toBeNull();
  });
});

it("compares with the category before the sign only", () => {
  expect(comparedWith(WORDS, "purpose != ")?.name).toBe("purpose");
  expect(comparedWith(WORDS, "TP == ")).toBeNull();
  expect(comparedWith(WORDS, "purpose ")).toBeNull();
});

it("ranks, quotes and counts characters", () => {
  expect(ranked(["false_rate", "rate", "Rate2"], "rate", (name) => name)).toEqual(["rate", "Rate2", "false_rate"]);
  expect(quoted("a\\b'c\"")).toBe("'a\\\\b\\'c\"'");
  expect(placeOf("😀x", 1)).toBe(2);
});
