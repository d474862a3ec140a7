import type { ComponentChildren } from "preact";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import type { Question } from "../host";
import { Patience } from "./Patience";
import { viewOf } from "../views";

// A question's picture under its title, to be pinned and exported.
export function Block({ question, title, controls, heading = true, labels = 0 }: { question: Question; title: string; controls?: ComponentChildren; heading?: boolean; labels?: number }) {
  const View = viewOf(question.kind);
  return (
    <section class={heading ? "block" : "cal-inner"} role={heading ? "region" : "group"} aria-label={title}>
      <header>
        {heading && <h2>{title}</h2>}
        {controls}
        <div class="tools">
          <PinButton question={question} title={title} />
          <ExportMenu question={question} name={title} />
        </div>
      </header>
      <Patience question={question} labels={labels} what="Compute">
        {() => <View question={question} />}
      </Patience>
    </section>
  );
}
