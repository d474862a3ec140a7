import { useEffect, useState } from "preact/hooks";
import type { About } from "../answers";
import { useAnswer, useClient } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { RequestSections } from "../calibration/RequestSections";
import type { Question } from "../host";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Hint } from "../ui/Notice";
import type { CompareAnswer, ComparableAnswer } from "./answers";
import { CompareControls } from "./CompareControls";
import { CompareShown } from "./CompareShown";
import { AT_ONCE, bestOf, comparableQuestion, compareQuestion, rangesShown, scoresQuestion } from "./questions";
import { ScoreControls } from "./ScoreControls";
import { ScoresShown } from "./views";

// Scores of every model, and which of them is better as far as the rows can tell.
export function ModelsRoom({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const models = usePart((state) => state.models);
  const store = useStore();
  const several = (data.models ?? about.models).length > 1;
  const comparable = useAnswer<ComparableAnswer>(several ? comparableQuestion({ data, models }) : null);
  const metric = comparable.answer?.metrics.find((one) => one.name === (models.metric ?? comparable.answer?.usual));
  const question = compareQuestion({ data, models }, metric?.of_one_class ?? false, about.k);
  const patient = usePatience(question, about.rows > AT_ONCE);
  const compared = useAnswer<CompareAnswer>(several && comparable.answer && !patient.waits ? question : null, { delay: 150 });
  const best = compared.answer && !compared.stale ? bestOf(compared.answer) : {};
  const scores = scoresQuestion({ data, models }, about);
  const title = metric?.title ?? "values";
  // A pair whose models are no longer chosen asks nothing sensible.
  useEffect(() => {
    const shown = data.models ?? about.models;
    if (models.pair && !models.pair.every((model) => shown.includes(model))) store.edit("models", { pair: null });
  }, [data.models, models.pair]);
  return (
    <div class="models-room">
      <section class="block" aria-label="Scores">
        <header>
          <h2>Scores</h2>
          <div class="tools">
            <PinButton question={scores} title="Scores" />
            <ExportMenu question={scores} name="scores" />
          </div>
        </header>
        <ScoreControls about={about} ranges={rangesShown({ models }, about)} />
        <ScoresShown question={scores} best={best} />
      </section>
      <section class="block" aria-label="Comparison">
        <header>
          <h2>Comparison</h2>
          {several && (
            <div class="tools">
              <PinButton question={question} title={`Comparison by ${title}`} />
              <ExportMenu question={question} name="comparison" />
            </div>
          )}
        </header>
        {several ? (
          <Answer of={comparable} what="Checking the design">
            {(choices) => (
              <>
                <CompareControls choices={choices} names={data.models ?? about.models} />
                {patient.waits ? (
                  <div class="row">
                    <button class="primary" onClick={patient.go}>Compare</button>
                    <Hint>With so many rows this may take a minute.</Hint>
                  </div>
                ) : (
                  <Answer of={compared} what="Comparing the models">
                    {(answer) => <CompareShown answer={answer} title={title} />}
                  </Answer>
                )}
              </>
            )}
          </Answer>
        ) : (
          <Hint>A comparison needs two models of the same rows: a column “model”, with at least two models selected in the data panel.</Hint>
        )}
      </section>
      <RequestSections room="models" about={about} model={null} />
    </div>
  );
}

// What takes long on many rows waits until it is wanted.
function usePatience(question: Question, many: boolean): { waits: boolean; go: () => void } {
  const client = useClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const key = JSON.stringify(question);
  return { waits: many && wanted !== key && client.known(question) === undefined, go: () => setWanted(key) };
}
