import { describe, expect, it, test } from "vitest";
import { both, clause, named, positiveOfTwo, switched } from "../src/data/choosing";
import { dataDefaults } from "../src/data/state";
import { dataSection } from "../src/questions";
import { shortcut } from "../src/shell/keys";

describe("the data panel", () => {
  it("switches names, and says null where all are chosen", () => {
    const names = ["a", "b", "c"];
    expect(switched(names, null, "b")).toEqual(["a", "c"]);
    expect(switched(names, ["a", "c"], "b")).toBe(null);
    expect(switched(names, ["a"], "a")).toEqual([]);
    expect(switched(names, ["gone", "a"], "c")).toEqual(["a", "c"]);
  });

  it("writes conditions that the formulas understand", () => {
    expect(clause("age", { kind: "number", low: 20, high: null })).toBe("age >= 20");
    expect(clause("age", { kind: "number", low: 20, high: 30.5 })).toBe("20 <= age <= 30.5");
    expect(clause("age", { kind: "number", low: null, high: null })).toBe(null);
    expect(clause("city", { kind: "category", values: ['a "b" \\'] })).toBe('city == "a \\"b\\" \\\\"');
    expect(clause("booked", { kind: "date", low: "2024-01-31", high: "" })).toBe('booked >= "2024-01-31"');
    expect(clause("booked", { kind: "date", low: "2024-01-31", high: "2024-02-01" })).toBe('"2024-01-31" <= booked <= "2024-02-01"');
    expect(clause("booked", { kind: "date", low: "", high: "" })).toBe(null);
    expect(clause("city", { kind: "category", values: ["a", "b"] })).toBe('city in ["a", "b"]');
    expect(clause("ok", { kind: "truth", value: false })).toBe("not ok");
    expect([named("age", new Set(["age"])), named("TP", new Set()), named("chest pain", new Set(["chest pain"]))]).toEqual(["age", "`TP`", "`chest pain`"]);
    expect([both(" ", "x > 1"), both("a", "b"), both("a or b", "c")]).toEqual(["x > 1", "a and b", "(a or b) and c"]);
  });
});

test("a question names groups only where a column is chosen", () => {
  expect(dataSection(dataDefaults)).not.toHaveProperty("groups");
  expect(dataSection({ ...dataDefaults, groups: "patient" })).toMatchObject({ groups: "patient", where: null });
});

test("the positive class is named of two classes alone", () => {
  expect(positiveOfTwo({ k: 2, positive: "yes" }, null)).toBe("yes");
  expect(positiveOfTwo({ k: 2, positive: "yes" }, "no")).toBe("no");
  expect(positiveOfTwo({ k: 3, positive: "c" }, "a")).toBeNull();
});

describe("keys", () => {
  const press = (key: string, more = {}) => shortcut({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

  it("undo, redo and help", () => {
    expect([press("z", { ctrlKey: true }), press("Z", { ctrlKey: true, shiftKey: true }), press("y", { ctrlKey: true })]).toEqual(["undo", "redo", "redo"]);
    expect([press("z", { metaKey: true }), press("?", { shiftKey: true })]).toEqual(["undo", "help"]);
    expect([press("z"), press("z", { ctrlKey: true, altKey: true }), press("a")]).toEqual([null, null, null]);
  });
});
