import { expect, test } from "vitest";
import { remarksOf } from "../src/matrix/Rates";

test("a remark is said once, and of whom where it is not of all", () => {
  const entry = (model: string, ...remarks: string[]) => ({ model, remarks });
  expect(remarksOf([entry("a", "one is absent"), entry("b", "one is absent")])).toEqual(["One is absent"]);
  expect(remarksOf([entry("a", "one is absent"), entry("b"), entry("c", "one is absent")])).toEqual(["a, c: one is absent"]);
  expect(remarksOf([entry("a")])).toEqual([]);
});
