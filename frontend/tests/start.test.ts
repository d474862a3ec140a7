import { describe, expect, it } from "vitest";
import type { ColumnAbout, Roles } from "../src/host";
import { refusal, sizeText } from "../src/start/files";
import { classesOf, lastClass, missing, modelsOf, offered, type Parts, partsOf, partWords, rolesOf, valuesOf } from "../src/start/roles";

const column = (name: string, more: Partial<ColumnAbout> = {}): ColumnAbout => ({ name, type: "number", examples: [], values: null, ...more });
const truth = (name: string, ...values: string[]) => column(name, { type: "text", values: values.map((value) => ({ name: value, rows: 5 })) });
const SAME = { separator: null, decimal: null, names: null };
const PLAIN = { normalize: false, missing: null, logits: false, scale: null };
const roles = (more: Partial<Roles>): Roles => ({ actual: null, prob: {}, rename: {}, positive: null, groups: null, ...PLAIN, ...SAME, ...more });

describe("what columns mean", () => {
  const columns = [truth("outcome", "no", "yes"), column("chance"), column("w"), column("model"), column("age"), column("id")];
  const guess = roles({ actual: "outcome", prob: { chance: "yes" }, rename: { w: "weight", model: "model" }, positive: "yes", groups: "id" });

  it("is read from a guess and written back as it was", () => {
    const parts = partsOf(columns, guess);
    expect(parts).toEqual({ outcome: "actual", chance: "prob:yes", w: "weight", model: "model", age: "attribute", id: "groups" });
    expect(rolesOf(columns, parts, "yes", valuesOf(guess), guess)).toEqual(guess);
    expect(missing(columns, parts)).toBe(null);
  });

  it("is changed column by column, and how values are written beside it", () => {
    const parts = { ...partsOf(columns, guess), model: "attribute", age: "fold" };
    const values = { normalize: true, missing: "drop", logits: true, scale: null };
    const found = rolesOf(columns, parts, "yes", values, { prob: {}, separator: ";", decimal: ",", names: ["a"] });
    expect([found.separator, found.decimal, found.names]).toEqual([";", ",", ["a"]]);
    expect([found.normalize, found.missing, found.logits]).toEqual([true, "drop", true]);
    expect(found.rename).toEqual({ w: "weight", age: "fold" });
  });

  it("reads several columns of one class as models beside each other", () => {
    const beside = [truth("default", "0", "1"), column("xgb"), column("rf"), column("logreg")];
    const guessed = roles({ actual: "default", prob: { rf: null, xgb: null }, positive: "1" });
    const parts = partsOf(beside, guessed);
    expect([parts["rf"], parts["xgb"], parts["logreg"]]).toEqual(["prob:1", "prob:1", "attribute"]);
    expect(modelsOf(beside, parts)).toEqual({ target: "1", names: ["xgb", "rf"] });
    expect(rolesOf(beside, parts, "0", PLAIN, guessed)).toEqual(guessed);
    expect(Object.keys(rolesOf(beside, { ...parts, logreg: "prob:1" }, null, PLAIN, guessed).prob)).toEqual(["rf", "xgb", "logreg"]);
    expect(missing(beside, parts)).toBe(null);
    expect(missing(beside, { ...parts, logreg: "prob:0" })).toContain("Only one column can be “P(1)”: xgb, rf");
    expect(modelsOf(beside, { ...parts, rf: "prob:0" })).toBe(null);
  });

  it("reads lists, and one row a class", () => {
    const lists = [truth("y", "a", "b", "c"), column("p", { type: "lists of numbers" })];
    const read = roles({ actual: "y", prob: { p: null } });
    expect(rolesOf(lists, partsOf(lists, read), null, PLAIN, read)).toEqual(read);
    expect(missing(lists, partsOf(lists, read))).toBe(null);
    const long = [truth("y", "a", "b", "c"), column("p"), column("k"), column("id")];
    const rows = roles({ actual: "y", prob: { p: null }, rename: { k: "class", id: "row" } });
    const parts = partsOf(long, rows);
    expect(parts["p"]).toBe("of-class");
    expect(rolesOf(long, parts, null, PLAIN, rows)).toEqual(rows);
    expect([missing(long, parts), missing(long, { ...parts, id: "attribute" })]).toEqual([null, expect.stringContaining("one row a class")]);
  });

  it("says what is missing", () => {
    const three = [truth("y", "a", "b", "c"), column("pa"), column("pb")];
    expect(missing(three, {})).toContain("true class");
    expect(missing(three, { y: "actual" })).toContain("predicted probabilities");
    expect(missing(three, { y: "actual", pa: "prob:a", pb: "prob:a" })).toContain("Only one column can be “P(a)”: pa, pb");
    expect(missing(three, { y: "actual", pa: "prob:a", pb: "prob:b" })).toContain("missing for c");
    expect(missing(three, { y: "actual", pa: "score" })).toBe(null);
  });

  it("knows the classes with their rows, and which is taken where none is chosen", () => {
    const parts: Parts = { outcome: "actual", chance: "prob:maybe" };
    expect(classesOf(columns, parts)).toEqual([{ name: "no", rows: 5 }, { name: "yes", rows: 5 }, { name: "maybe", rows: 0 }]);
    expect(lastClass(columns, { outcome: "actual" })).toBe("yes");
    expect(lastClass(columns, { outcome: "actual", chance: "prob:yes", w: "prob:no" })).toBe("no");
  });

  it("offers every column what it can be", () => {
    const many = Array.from({ length: 100 }, (_, place) => ({ name: `c${place}`, rows: 1 }));
    expect(offered(column("x"), ["attribute"], many.slice(0, 2))).toContain("prob:c1");
    expect(offered(column("p:c7"), ["attribute"], many)).toContain("prob:c7");
    expect(offered(column("x"), ["attribute"], many)).not.toContain("prob:c7");
    expect(offered(column("x"), ["groups", "row"], many)).toContain("groups");
    expect(["prob:yes", "score:yes", "row"].map(partWords)).toEqual(["P(yes)", "Score of yes", "Row (which example it is)"]);
  });
});

describe("files", () => {
  it("are refused by their endings and sizes, in words", () => {
    const start = { files: { endings: [".csv", ".json"], packed: [".gz"], names: "CSV and JSON files" }, limits: { upload_bytes: 100 } };
    const said = (name: string, size: number) => refusal({ name, size }, start)?.message ?? null;
    expect(said("a.CSV", 10)).toBe(null);
    expect(said("a.pkl", 10)).toContain("pickle");
    expect(said("a.xlsx", 10)).toContain("CSV and JSON files can");
    expect(said("a.csv", 0)).toContain("empty");
    expect(said("a.csv", 101)).toContain("at most 100 bytes");
    expect([sizeText(0), sizeText(1536), sizeText(500 * 2 ** 20)]).toEqual(["0 bytes", "1.5 KB", "500 MB"]);
  });
});
