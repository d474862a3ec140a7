import { describe, expect, it } from "vitest";
import { DEFAULTS, type State } from "../src/state";
import { Store } from "../src/store";
import { followAddress, fromFragment, toFragment } from "../src/url";

const CHANGED: State = {
  ...DEFAULTS,
  table: "a_table-1",
  room: "models",
  threshold: 0.25,
  data: { models: ["a & b", "ü#%"], folds: [], where: "`chest pain` == \"a+b\" and x > 1", weighted: false, target: "yes", groups: "who" },
  curve: { ...DEFAULTS.curve, preset: null, x: "FP / N", y: "TPR", params: { rate: 0.1 }, hull: true },
};

describe("the address", () => {
  it("is empty for what is there at first, and comes back as it was", () => {
    expect(toFragment(DEFAULTS)).toBe("");
    expect(fromFragment("")).toEqual(DEFAULTS);
    expect(fromFragment(toFragment(CHANGED))).toEqual(CHANGED);
  });

  it("holds no more than what differs", () => {
    expect(toFragment({ ...DEFAULTS, data: { ...DEFAULTS.data, target: "yes" } })).toBe(`#${new URLSearchParams({ data: '{"target":"yes"}' })}`);
  });

  it("keeps an infinite threshold", () => {
    for (const threshold of [Infinity, -Infinity, 0]) {
      expect(fromFragment(toFragment({ ...DEFAULTS, threshold })).threshold).toBe(threshold);
    }
  });

  it.each([
    "#room=cellar",
    "#threshold=high",
    "#data=not json",
    "#data=[1,2]",
    "#data=null",
    '#data="text"',
    '#data={"where":null,"weighted":null,"folds":7,"models":[1],"target":{}}',
    '#data={"where":["x"],"weighted":"yes","ignoredSettings":1}',
    '#curve={"params":[1],"hull":1,"band":7,"__proto__":{"x":1},"constructor":"x"}',
    '#models={"pair":"x","ranges":"yes","rope":"0.1"}',
    '#models={"pair":["a"]}',
    '#curve={"y2":5,"x":{},"points":"7","average":"mean","direction":1}',
    '#curve={"params":{"rate":"x"},"span":null,"preset":["roc"],"points":-1}',
    '#reading={"between":"here","difference":7,"iso_cost":"dear","optimum":"best","subject_to":null}',
    '#reading={"between":[1e999,2],"iso_cost":{"fp":1}}',
    '#matrix={"cell":{"model":"a"},"shares":"all of them","interval":7}',
    '#calibration={"open":"plan","sizes":{"shift":"x"},"bins":2.5,"least":{},"by":3}',
    "#%E0%A4%A",
    "#&&&===",
  ])("leaves what means nothing at its default: %s", (fragment) => {
    expect(fromFragment(fragment)).toEqual(DEFAULTS);
  });

  it("takes of every field what is of its kind, and keeps it", () => {
    const reading = { ...DEFAULTS.reading, between: [0.2, 0.4] as [number, number], difference: ["a", "b"] as [string, string], iso_cost: { fp: 1, fn: 5 } };
    const models = { ...DEFAULTS.models, pair: ["a", "b"] as [string, string], ranges: false, rope: 0.01 };
    const matrix = { ...DEFAULTS.matrix, cell: { model: null, actual: "x", predicted: "y" }, interval: "none" as const };
    const calibration = { ...DEFAULTS.calibration, open: ["plan"], sizes: { shift: 0.5 }, n: 300, by: "site" };
    const curve = { ...DEFAULTS.curve, y2: "", average: "smooth" as const, points: 50, span: 0.4, multiclass: "micro" as const };
    const state = { ...DEFAULTS, reading, models, matrix, calibration, curve };
    expect(fromFragment(toFragment(state))).toEqual(state);
  });
});

// A page whose history is a list, as a browser keeps it.
function browser() {
  const entries = [""];
  let [at, moved] = [0, () => undefined as void];
  const page = {
    location: { pathname: "/", get hash() { return entries[at]!; } },
    history: {
      pushState: (_: unknown, __: string, to: string) => void entries.splice(++at, Infinity, to),
      replaceState: (_: unknown, __: string, to: string) => void (entries[at] = to),
    },
    addEventListener: (_: string, heard: () => void) => (moved = heard),
  };
  const walk = (steps: number) => {
    at += steps;
    moved();
  };
  return { page: page as unknown as NonNullable<Parameters<typeof followAddress>[1]>, walk, entries, now: () => decodeURIComponent(entries[at]!) };
}

describe("the history of the browser", () => {
  it("has an entry for every step, and Back restores the state before it", () => {
    const [store, { page, walk, entries }] = [new Store(), browser()];
    followAddress(store, page);
    store.edit("curve", { preset: "lift" });
    store.go("models");
    store.edit("data", { models: ["a"] });
    expect(entries.length).toBe(4);
    walk(-1);
    expect([store.state.room, store.state.data.models, store.state.curve.preset]).toEqual(["models", null, "lift"]);
    walk(-2);
    expect(store.state).toEqual(DEFAULTS);
    walk(1);
    expect([store.state.room, store.state.curve.preset]).toEqual(["overview", "lift"]);
  });
  it("has none for drags and typing, which belong to the entry at hand", () => {
    const [store, { page, walk, entries, now }] = [new Store(), browser()];
    followAddress(store, page);
    for (const threshold of [0.1, 0.2, 0.3]) store.change({ threshold }, "threshold 1");
    store.edit("curve", { y: "CA" }, "y");
    expect(entries.length).toBe(1);
    store.edit("curve", { hull: true });
    expect(entries.length).toBe(2);
    walk(-1);
    expect([store.state.threshold, store.state.curve.y, store.state.curve.hull]).toEqual([0.3, "CA", false]);
    expect(now()).toContain("threshold=0.3");
  });
  it("is written at once where a gesture ends", () => {
    const [store, { page, now }] = [new Store(), browser()];
    followAddress(store, page);
    store.edit("data", { where: "age > 30" }, "where");
    expect(now()).toBe("");
    store.settle();
    expect(now()).toContain("where");
  });
  it("has no entry for what the address does not hold", () => {
    const [store, { page, entries }] = [new Store(), browser()];
    followAddress(store, page);
    store.change({ board: { ...store.state.board, name: "mine" } });
    expect(entries).toEqual([""]);
  });
});
