import type { ComponentChildren } from "preact";
import type { Answered } from "../ask";
import { Hints } from "./Hints";
import { Notice } from "./Notice";
import { Waiting } from "./Waiting";

// The one way an answer is shown: waiting, failed, or there. While the next is computed, or where it
// fails, the last one stays in its place, dimmed: nothing jumps, and nothing old looks new. Where there
// will be no new one, words say so, too.
export function Answer<Kind>({ of, what, children }: { of: Answered<Kind>; what: string; children: (answer: Kind) => ComponentChildren }) {
  const there = of.answer !== null;
  const left = there && of.stale && of.error !== null;
  const classes = ["answer", of.stale && (of.busy || left) ? "stale" : "", left ? "left" : "", there ? "over" : ""];
  return (
    <div class={classes.filter(Boolean).join(" ")} aria-busy={of.busy}>
      {of.busy && <Waiting what={what} progress={of.progress} cancel={of.cancel} />}
      {of.error && <Notice failure={of.error} retry={of.retry} />}
      {left && <p class="old">Out of date: these results belong to the earlier settings.</p>}
      {there && (
        <div class="held">
          {children(of.answer!)}
          <Hints of={of.answer} />
        </div>
      )}
    </div>
  );
}
