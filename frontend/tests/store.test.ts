import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../src/state";
import { Store } from "../src/store";

describe("the store", () => {
  it("goes back and forth", () => {
    const store = new Store();
    store.edit("data", { where: "age > 30" });
    store.change({ threshold: 0.4 });
    store.undo();
    expect([store.state.threshold, store.state.data.where]).toEqual([null, "age > 30"]);
    store.undo();
    expect(store.state).toEqual(DEFAULTS);
    expect(store.canUndo).toBe(false);
    store.redo();
    store.redo();
    expect([store.state.threshold, store.canRedo]).toEqual([0.4, false]);
  });

  it("makes one step of what follows each other under one name", () => {
    const store = new Store();
    for (const threshold of [0.1, 0.2, 0.3]) store.change({ threshold }, "threshold");
    store.edit("data", { where: "x" }, "where");
    store.edit("data", { where: "xy" }, "where");
    store.undo();
    expect([store.state.threshold, store.state.data.where]).toEqual([0.3, ""]);
    store.undo();
    expect(store.state.threshold).toBe(null);
  });

  it("begins another step after a pause, and where the gesture ends", () => {
    let now = 0;
    const store = new Store(DEFAULTS, () => now);
    const type = (where: string) => store.edit("data", { where }, "where");
    for (const text of ["a", "ab", "abc"]) {
      type(text);
      now += 900;
    }
    now += 200;
    type("abcd");
    store.settle();
    type("abcde");
    const back = () => (store.undo(), store.state.data.where);
    expect([back(), back(), back()]).toEqual(["abcd", "abc", ""]);
  });

  it("begins anew with the table of another address, and leaves the board with its own", () => {
    const board = { name: "B", pins: [{ id: "1", title: "T", note: "", question: null, from: null }] };
    const store = new Store({ ...DEFAULTS, table: "A", board });
    store.change({ threshold: 0.4 });
    store.arrive({ ...DEFAULTS, table: "A", room: "models" });
    expect([store.state.room, store.state.board, store.canUndo]).toEqual(["models", board, true]);
    store.arrive({ ...DEFAULTS, room: "board" });
    expect([store.state.table, store.state.room, store.state.board]).toEqual(["A", "board", board]);
    store.arrive({ ...DEFAULTS, table: "B", threshold: 0.2 });
    expect(store.state).toEqual({ ...DEFAULTS, table: "B", threshold: 0.2 });
    expect(store.canUndo).toBe(false);
  });

  it("starts a new step after undo, also under the same name", () => {
    const store = new Store();
    store.change({ threshold: 0.1 }, "threshold");
    store.undo();
    store.change({ threshold: 0.2 }, "threshold");
    store.change({ threshold: 0.3 }, "threshold");
    expect(store.canRedo).toBe(false);
    store.undo();
    expect(store.state.threshold).toBe(null);
  });

  it("keeps no step where nothing changes", () => {
    const store = new Store();
    let heard = 0;
    store.subscribe(() => (heard += 1));
    store.edit("data", { where: "" });
    store.edit("curve", { params: {} });
    store.change({ threshold: null });
    expect([heard, store.canUndo]).toEqual([0, false]);
  });

  it("walks through rooms without a step, and clears the way back with another table", () => {
    const store = new Store();
    store.edit("data", { where: "x" });
    store.go("board");
    expect(store.state.room).toBe("board");
    store.open("T");
    expect(store.state).toEqual({ ...DEFAULTS, table: "T" });
    expect([store.canUndo, store.canRedo]).toEqual([false, false]);
  });

  it("remembers two hundred steps at most", () => {
    const store = new Store();
    for (let place = 1; place <= 250; place++) store.change({ threshold: place });
    let steps = 0;
    for (; store.canUndo; steps++) store.undo();
    expect([steps, store.state.threshold]).toEqual([200, 50]);
  });
});
