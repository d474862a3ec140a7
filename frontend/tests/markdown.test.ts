import { h } from "preact";
import { describe, expect, it } from "vitest";
import { Markdown } from "../src/board/Markdown";

// What elements a note becomes, as nested lists of tags and texts.
function shape(node: unknown): unknown {
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (Array.isArray(node)) return node.map(shape).flat();
  if (typeof node !== "object") return node === "" ? [] : [String(node)];
  const { type, props } = node as { type: unknown; props: { children?: unknown; href?: string } };
  if (typeof type === "function") return shape((type as (props: unknown) => unknown)(props));
  return [[type, ...(props.href ? [props.href] : []), ...(shape(props.children) as unknown[])]];
}
const note = (text: string): unknown => (shape(h(Markdown, { text })) as unknown[][])[0]!.slice(1);

describe("a note", () => {
  it("has headings, lists, emphasis, code and quotes", () => {
    expect(note("# Title\nOne **two** *three* `four`")).toEqual([["h3", "Title"], ["p", "One ", ["strong", "two"], " ", ["em", "three"], " ", ["code", "four"]]]);
    expect(note("- a\n- b\n\n1. c")).toEqual([["ul", ["li", "a"], ["li", "b"]], ["ol", ["li", "c"]]]);
    expect(note("> q\n```\n**x**\n```")).toEqual([["blockquote", ["p", "q"]], ["pre", ["code", "**x**"]]]);
  });

  it("links to the web alone, and has no HTML", () => {
    expect(note("[a](https://b.org)")).toEqual([["p", ["a", "https://b.org", "a"]]]);
    expect(note("[a](javascript:alert)")).toEqual([["p", "[a](javascript:alert)"]]);
    expect(note("<img src=x onerror=alert(1)>")).toEqual([["p", "<img src=x onerror=alert(1)>"]]);
  });
});
