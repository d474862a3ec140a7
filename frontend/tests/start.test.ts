import { describe, expect, it } from "vitest";
import type { ColumnAbout, Roles } from "../src/host";
import { refusal, sizeText } from "../src/start/files";
import { classesOf, missing, offered, partsOf, partWords, rolesOf } from "../src/start/roles";

const column = (name: string, more: Partial<ColumnAbout> = {}): ColumnAbout => ({ name, type: "number", examples: [], values: null, plays: null, ...more });
const truth = (name: string, ...values: string[]) => column(name, { type: "text", values: values.map((value) => ({ name: value, rows: 5 })) });
const SAME = { separator: null, decimal: null };
const roles = (more: Partial<Roles>): Roles => ({ actual: null, prob: {}, rename: {}, positive: null, normalize: false, ...SAME, ...more });

describe("what columns mean", () => {
  const columns = [truth("outcome", "no", "yes"), column("chance"), column("w"), column("model", { plays: "model" }), column("age")];
  const guess = roles({ actual: "outcome", prob: { chance: "yes" }, rename: { w: "weight" }, positive: "yes" });

  it("is read from a guess and written back as it was", () => {
    const parts = partsOf(columns, guess);
    expect(parts).toEqual({ outcome: "actual", chance: "prob:yes", w: "weight", model: "model", age: "attribute" });
    expect(rolesOf(columns, parts, "yes", false, SAME)).toEqual(guess);
    expect(missing(columns, parts)).toBe(null);
  });

  it("takes a column's own name away from it where it means something else", () => {
    const parts = { ...partsOf(columns, guess), model: "attribute", age: "fold" };
    const found = rolesOf(columns, parts, "yes", true, { separator: ";", decimal: "," });
    expect([found.separator, found.decimal]).toEqual([";", ","]);
    expect(found.rename).toEqual({ w: "weight", model: "model_", age: "fold" });
  });

  it("lets a column called score hold probabilities", () => {
    const rated = [truth("actual", "0", "1"), column("score", { plays: "score" })];
    const found = rolesOf(rated, { actual: "actual", score: "prob:1" }, "1", false, SAME);
    expect(found).toEqual(roles({ actual: "actual", prob: { "p:1": "1" }, rename: { score: "p:1" }, positive: "1" }));
    expect(partsOf(rated, found)["score"]).toBe("prob:1");
  });

  it("says what is missing", () => {
    const three = [truth("y", "a", "b", "c"), column("pa"), column("pb")];
    expect(missing(three, {})).toContain("true class");
    expect(missing(three, { y: "actual" })).toContain("predicted probabilities");
    expect(missing(three, { y: "actual", pa: "prob:a", pb: "prob:a" })).toContain("Only one column can be “P(a)”: pa, pb");
    expect(missing(three, { y: "actual", pa: "prob:a", pb: "prob:b" })).toContain("missing for c");
    expect(missing(three, { y: "actual", pa: "score" })).toBe(null);
  });

  it("knows the classes with their rows", () => {
    const parts = { outcome: "actual", chance: "prob:maybe" };
    expect(classesOf(columns, parts)).toEqual([{ name: "no", rows: 5 }, { name: "yes", rows: 5 }, { name: "maybe", rows: 0 }]);
  });

  it("offers every column what it can be", () => {
    const many = Array.from({ length: 100 }, (_, place) => ({ name: `c${place}`, rows: 1 }));
    expect(offered(column("x"), "attribute", many.slice(0, 2))).toContain("prob:c1");
    expect(offered(column("p:c7"), "attribute", many)).toContain("prob:c7");
    expect(offered(column("x"), "attribute", many)).not.toContain("prob:c7");
    expect(["prob:yes", "score:yes", "row"].map(partWords)).toEqual(["P(yes)", "Score of yes", "Row (which example it is)"]);
  });
});

describe("files", () => {
  it("are refused by their endings and sizes, in words", () => {
    expect(refusal({ name: "a.CSV", size: 10 }, 100)).toBe(null);
    expect(refusal({ name: "a.pkl", size: 10 }, 100)!.message).toContain("pickle");
    expect(refusal({ name: "a.xlsx", size: 10 }, 100)!.message).toContain("CSV, TSV, JSON lines");
    expect(refusal({ name: "a.csv", size: 0 }, 100)!.message).toContain("empty");
    expect(refusal({ name: "a.csv", size: 101 }, 100)!.message).toContain("at most 100 bytes");
    expect([sizeText(0), sizeText(1536), sizeText(500 * 2 ** 20)]).toEqual(["0 bytes", "1.5 KB", "500 MB"]);
  });
});
