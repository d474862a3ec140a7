import { describe, expect, it } from "vitest";
import { DEFAULTS, type State } from "../src/state";
import { fromFragment, toFragment } from "../src/url";

const CHANGED: State = {
  ...DEFAULTS,
  table: "a_table-1",
  room: "models",
  threshold: 0.25,
  data: { models: ["a & b", "ü#%"], folds: [], where: "`chest pain` == \"a+b\" and x > 1", weighted: false, target: "yes" },
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
    '#data={"where":["x"],"weighted":"yes","unheard":1}',
    '#curve={"params":[1],"hull":1,"band":7,"__proto__":{"x":1},"constructor":"x"}',
    "#%E0%A4%A",
    "#&&&===",
  ])("leaves what means nothing at its default: %s", (fragment) => {
    expect(fromFragment(fragment)).toEqual(DEFAULTS);
  });
});
