import { describe, expect, it } from "vitest";
import { Cursor, thresholdIn, unitOf, unitOfQuestion } from "../src/cursor";
import { DEFAULTS } from "../src/state";
import { Store } from "../src/store";

const made = () => {
  const store = new Store({ ...DEFAULTS }, () => 0); // a clock that stands still: only names part the steps
  return { store, cursor: new Cursor(store) };
};

describe("the unit of a threshold", () => {
  it("is the table's own rating however that is asked for", () => {
    for (const key of [null, undefined, "", " ", "probability", " probability "]) expect(unitOf(key, null)).toBeNull();
  });
  it("parts sort keys and positive classes", () => {
    const units = [unitOf(null, null), unitOf("age", null), unitOf(null, "no"), unitOf("age", "no"), unitOf("score", null)];
    expect(new Set(units).size).toBe(units.length);
    expect(unitOf(" age", null)).toBe(unitOf("age", null));
  });
  it("is that of the curve and the rows of a question", () => {
    expect(unitOfQuestion({ kind: "curve", curve: { sort_by: "age" }, data: { target: "no" } })).toBe(unitOf("age", "no"));
    expect(unitOfQuestion({ kind: "confusion", data: { target: null } })).toBeNull();
    expect(unitOfQuestion({ kind: "formats" })).toBeNull();
  });
});

describe("the shared threshold", () => {
  it("means nothing in another unit, and is there again in its own", () => {
    const { store, cursor } = made();
    cursor.move(35, true, { unit: "age" });
    expect([cursor.at("age"), cursor.at(null), cursor.at()]).toEqual([35, null, null]);
    expect([thresholdIn(store.state, "age"), thresholdIn(store.state, null)]).toEqual([35, null]);
    cursor.move(0.4, true);
    expect([cursor.at("age"), cursor.at(null), store.state.threshold]).toEqual([null, 0.4, 0.4]);
    store.undo();
    expect([cursor.at("age"), cursor.at(null)]).toEqual([35, null]);
  });
  it("is of the class that rooms without a curve look for", () => {
    const { store, cursor } = made();
    cursor.move(0.4, true);
    store.edit("data", { target: "no" });
    expect([cursor.at(), cursor.at(null)]).toEqual([null, 0.4]);
  });
  it("is one step of undo a gesture, of which only the end counts", () => {
    const { store, cursor } = made();
    for (const at of [0.1, 0.2, 0.3]) cursor.move(at, false);
    cursor.move(0.3, true);
    cursor.move(0.6, true);
    cursor.move(0.7, true, { again: true });
    cursor.move(0.8, true, { again: true });
    expect(store.state.threshold).toBe(0.8);
    store.undo();
    expect(store.state.threshold).toBe(0.3);
    store.undo();
    expect([store.state.threshold, store.canUndo]).toEqual([null, false]);
  });
  it("is heard of by those that mark its unit, while it is dragged", () => {
    const { cursor } = made();
    const [age, own] = [cursor.on("age"), cursor.on(null)];
    const heard: (number | null)[][] = [];
    const leave = age.subscribe(() => heard.push([age.threshold, own.threshold]));
    age.move(30, false);
    own.move(0.5, false);
    leave();
    own.move(0.6, true);
    expect(heard).toEqual([[30, null], [null, 0.5]]);
  });
});
