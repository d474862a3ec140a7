import { describe, expect, test } from "vitest";
import { boardText, readBoard, Refused } from "../src/board/boardFile";
import { slug } from "../src/board/download";
import { changed, doubled, isPinned, moved, pinned, stateOf, targetOf, without } from "../src/board/pins";
import type { Pin } from "../src/board/state";
import { DEFAULTS } from "../src/state";

const pin = (id: string): Pin => ({ id, title: `Title ${id}`, note: "", question: { kind: "curve", x: id }, from: "" });
const pins = ["a", "b", "c"].map(pin);
const ids = (list: readonly Pin[]) => list.map((one) => one.id).join("");
const data = { name: "loans.csv", n: 3, fingerprint: "0".repeat(64) };
const known = (kind: string) => kind === "curve";

describe("cards", () => {
  test("move to a place, and stay where there is none", () => {
    expect(ids(moved(pins, "a", 2))).toBe("bca");
    expect(ids(moved(pins, "c", 0))).toBe("cab");
    expect(ids(moved(pins, "a", -1))).toBe("abc");
    expect(ids(moved(pins, "a", 3))).toBe("abc");
  });

  test("are changed, removed and doubled by their id alone", () => {
    expect(changed(pins, "b", { note: "n" })[1]).toEqual({ ...pins[1], note: "n" });
    expect(ids(without(pins, "b"))).toBe("ac");
    expect(doubled(pins, "b").map((one) => one.title)).toEqual(["Title a", "Title b", "Title b (copy)", "Title c"]);
    expect(new Set(doubled(pins, "b").map((one) => one.id)).size).toBe(4);
  });

  test("remember the state around them, but neither table nor board", () => {
    const state = { ...DEFAULTS, table: "t1", room: "models" as const, threshold: 0.3, board: { name: "B", pins } };
    const kept = pinned({ kind: "curve" }, "T", state);
    expect(kept.from).not.toContain("t1");
    expect(stateOf(kept, { ...DEFAULTS, table: "t2" })).toEqual({ ...DEFAULTS, table: "t2", room: "models", threshold: 0.3 });
    expect(isPinned([kept], { kind: "curve" })).toBe(true);
    expect(isPinned([kept], { kind: "curve", x: 1 })).toBe(false);
  });
});

test("a card tells the positive class that its question names", () => {
  expect(targetOf({ kind: "curve", data: { target: "no" } })).toBe("no");
  expect([{ kind: "curve" }, { kind: "curve", data: null }, { kind: "curve", data: { target: 3 } }].map(targetOf)).toEqual([null, null, null]);
});

describe("the file of a board", () => {
  const saved = { board: { name: "B", pins }, data, state: "#room=board" };

  test("comes back as it was, with new ids", () => {
    const back = readBoard(boardText(saved, "1.0"), known);
    expect(back.data).toEqual(data);
    expect(back.state).toBe("#room=board");
    expect(back.board.pins.map(({ id: _id, ...rest }) => rest)).toEqual(pins.map(({ id: _id, ...rest }) => rest));
  });

  test("of an earlier version opens: its test of calibration is the question test", () => {
    const pin = { ...pins[0]!, question: { kind: "calibration-test", statistic: "ece" } };
    const back = readBoard(boardText({ ...saved, board: { name: "B", pins: [pin] } }, "0.2.0"), (kind) => kind === "test");
    expect(back.board.pins[0]!.question).toEqual({ kind: "test", statistic: "ece" });
  });

  test.each([
    ["no JSON", "{", "not JSON"],
    ["a list", "[]", "holds no fields"],
    ["another file", "{}", "not a board of Plumbline"],
    ["another format", JSON.stringify({ ...JSON.parse(boardText(saved, "9")), format: 2 }), "format 2"],
    ["an unknown kind", boardText({ ...saved, board: { name: "B", pins: [{ ...pins[0]!, question: { kind: "toString" } }] } }, "1"), "toString"],
    ["a title that is none", boardText({ ...saved, board: { name: "B", pins: [{ ...pins[0]!, title: 3 as unknown as string }] } }, "1"), "not text"],
    ["a negative number of rows", boardText({ ...saved, data: { ...data, n: -1 } }, "1"), "number of rows"],
    ["a fingerprint that is too long", boardText({ ...saved, data: { ...data, fingerprint: "0".repeat(65) } }, "1"), "longer"],
    ["too many cards", boardText({ ...saved, board: { name: "B", pins: Array.from({ length: 201 }, () => pins[0]!) } }, "1"), "holds 200"],
  ])("is refused whole: %s", (_, text, said) => {
    expect(() => readBoard(text, known)).toThrow(Refused);
    expect(() => readBoard(text, known)).toThrow(said);
  });

  test("gets a harmless name", () => {
    expect(slug("../Profit: 0.3 Ärger")).toBe("profit-0-3-arger");
    expect(slug("图")).toBe("board");
  });
});
