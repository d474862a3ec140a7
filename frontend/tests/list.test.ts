import { describe, expect, it } from "vitest";
import { matching, moved, sought } from "../src/ui/list";

const choices = ["car", "cash", "home", "other"].map((label) => ({ value: label, label, disabled: label === "home" }));

describe("the lines of a list", () => {
  it("keys move over what can be taken, and stay at the ends", () => {
    expect(moved(choices, 1, "ArrowDown")).toBe(3);
    expect(moved(choices, 3, "ArrowDown")).toBe(3);
    expect(moved(choices, 3, "ArrowUp")).toBe(1);
    expect(moved(choices, -1, "ArrowUp")).toBe(3);
    expect(moved(choices, 3, "Home")).toBe(0);
    expect(moved(choices, 0, "End")).toBe(3);
    expect(moved(choices, 0, "PageDown")).toBe(3);
    expect(moved(choices, 3, "PageUp")).toBe(0);
    expect(moved(choices, 0, "a")).toBeNull();
  });

  it("typing finds what begins so; one letter again goes on", () => {
    expect(sought(choices, 0, "cas")).toBe(1);
    expect(sought(choices, 0, "c")).toBe(1);
    expect(sought(choices, 1, "cc")).toBe(0);
    expect(sought(choices, 1, "h")).toBe(1);
    expect(sought(choices, -1, "O")).toBe(3);
  });

  it("a part of the name is enough, and those that begin with it come first", () => {
    expect(matching(choices, "a").map((one) => one.label)).toEqual(["car", "cash"]);
    expect(matching(choices, "h").map((one) => one.label)).toEqual(["home", "cash", "other"]);
    expect(matching(choices, " ")).toHaveLength(4);
  });
});
