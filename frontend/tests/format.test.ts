import { describe, expect, it } from "vitest";
import { counted, numberText, pEquals, pText, percentText, plainNumber } from "../src/ui/format";

describe("numbers", () => {
  it.each([
    [0.75, "0.75"],
    [0.123456, "0.1235"],
    [1234.5678, "1,235"],
    [1_000_000, "1,000,000"],
    [-0.5, "−0.5"],
    [-5, "−5"],
    [-0.00001, "−1.000e−5"],
    [0.00001234, "1.234e−5"],
    [123456789.5, "1.235e+8"],
    [0, "0"],
    [-0, "0"],
    [Infinity, "∞"],
    [-Infinity, "−∞"],
    [NaN, "–"],
    [null, "–"],
    [undefined, "–"],
  ])("%s is read as %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it.each([
    [0.05416, "0.05416", "p = 0.05416"],
    [0, "< 0.001", "p < 0.001"],
    [-0, "< 0.001", "p < 0.001"],
    [1.2e-9, "1.200e−9", "p = 1.200e−9"],
    [1, "1", "p = 1"],
    [null, "–", "p = –"],
  ])("the p-value %s is read as %s", (value, text, sentence) => {
    expect(pText(value)).toBe(text);
    expect(pEquals(value)).toBe(sentence);
  });

  it("have as many digits as asked", () => {
    expect(numberText(0.123456, 2)).toBe("0.12");
    expect(percentText(0.12345)).toBe("12.3 %");
    expect(percentText(null)).toBe("–");
  });

  it("count things", () => {
    expect([counted(1, "row"), counted(2500, "row"), counted(0, "class", "classes")]).toEqual(["1 row", "2,500 rows", "0 classes"]);
  });

  it("are plain for screen readers", () => {
    expect([0.25, 1e-9, Infinity, -Infinity].map(plainNumber)).toEqual(["0.25", "0.00000000100000000000", "9007199254740991", "-9007199254740991"]);
  });
});
