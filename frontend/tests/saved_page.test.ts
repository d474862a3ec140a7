import { describe, expect, it } from "vitest";
import { pageText, readPage, savedHost, type SavedPage } from "../src/board/savedPage";
import { frozen, thawed } from "../src/wire";

const question = { kind: "curve", data: {} };
const saved: SavedPage = {
  name: "A </script> & more",
  version: "0",
  data: { name: "t.csv", n: 3, fingerprint: "f" },
  positive: "yes",
  pins: [{ id: "1", title: "ROC", note: "**n**", question, from: null }],
  answers: { [JSON.stringify(question)]: { x: Float64Array.of(0.5, Infinity, NaN), kept: Uint8Array.of(1, 2), why: null } },
};

describe("a page of its own", () => {
  it("keeps arrays, with infinity and undefined values", () => {
    expect(thawed(frozen(saved))).toEqual(saved);
  });

  it("cannot be ended early, and comes back from its own text", () => {
    const page = pageText(saved, { script: 'const a = "</script>";', style: "p{}" });
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    const text = /id="saved">(.*?)<\/script>/s.exec(page)![1]!;
    expect(readPage(text)).toEqual(saved);
    expect(page).toContain("default-src 'none'");
  });

  it("answers what was saved, and refuses the rest in words", async () => {
    const host = savedHost(saved);
    expect(await host.ask("saved", question)).toBe(saved.answers[JSON.stringify(question)]);
    await expect(host.ask("saved", { kind: "scores" })).rejects.toThrow("not saved");
  });
});
