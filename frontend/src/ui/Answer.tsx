import type { ComponentChildren } from "preact";
import type { Answered } from "../ask";
import { Notice } from "./Notice";
import { Waiting } from "./Waiting";

// The one way an answer is shown: waiting, failed, or there (and dimmed while the next is computed).
export function Answer<Kind>({ of, what, children }: { of: Answered<Kind>; what: string; children: (answer: Kind) => ComponentChildren }) {
  return (
    <div class={of.stale ? "answer stale" : "answer"} aria-busy={of.busy}>
      {of.busy && <Waiting what={what} progress={of.progress} cancel={of.cancel} />}
      {of.error && <Notice failure={of.error} retry={of.retry} />}
      {of.answer !== null && !of.error && children(of.answer)}
    </div>
  );
}
