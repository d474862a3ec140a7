import { useAnswer } from "../ask";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import { Notice } from "../ui/Notice";
import { Waiting } from "../ui/Waiting";
import type { View } from "../views";
import type { CompareAnswer, ComparableAnswer, ScoresAnswer } from "./answers";
import { CompareShown } from "./CompareShown";
import { rowsSaid } from "./questions";
import { ScoresTable } from "./ScoresTable";

// The numbers first, and what chance makes of them when that is computed.
export function ScoresShown({ question, best, compact }: { question: Question; best?: Record<string, string>; compact?: boolean }) {
  const quick = useAnswer<ScoresAnswer>({ ...question, resamples: 0 });
  const full = useAnswer<ScoresAnswer>(question["resamples"] ? question : null);
  const ready = question["resamples"] && full.answer && !full.stale && !full.error ? full : quick;
  const waiting = Boolean(question["resamples"]) && quick.answer !== null;
  return (
    <>
      <Answer of={ready} what="Scoring the models">
        {(answer) => <ScoresTable answer={answer} rows={rowsSaid(question)} {...(best ? { best } : {})} {...(compact ? { compact } : {})} />}
      </Answer>
      {waiting && full.busy && <Waiting what="Resampling the labels" progress={full.progress} cancel={full.cancel} />}
      {waiting && full.error && <Notice failure={full.error} retry={full.retry} />}
    </>
  );
}

function CompareView({ question, compact }: { question: Question; compact?: boolean }) {
  const found = useAnswer<CompareAnswer>(question);
  const choices = useAnswer<ComparableAnswer>({ kind: "comparable", data: question["data"], ...(question["over"] ? { over: question["over"] } : {}) });
  const title = (answer: CompareAnswer) => choices.answer?.metrics.find((one) => one.name === answer.pairs[0]?.metric)?.title ?? answer.pairs[0]?.metric ?? "values";
  return (
    <Answer of={found} what="Comparing the models">
      {(answer) => <CompareShown answer={answer} title={title(answer)} {...(compact ? { compact } : {})} />}
    </Answer>
  );
}

export const modelsViews: Record<string, View> = { scores: ScoresShown, compare: CompareView };
