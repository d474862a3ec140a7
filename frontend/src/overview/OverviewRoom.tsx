import type { About } from "../answers";
import { useAnswer } from "../ask";
import type { TestAnswer } from "../calibration/answers";
import { PatienceRow, usePatience } from "../calibration/Patience";
import { switched } from "../data/choosing";
import { useVocabulary } from "../formula/vocabulary";
import type { ScoresAnswer } from "../models/answers";
import { Reasons } from "../models/ScoresTable";
import { choicesOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Check, Select } from "../ui/fields";
import { Hints } from "../ui/Hints";
import { Notice } from "../ui/Notice";
import { Distribution } from "./Distribution";
import { Multiples } from "./Multiples";
import { Payoffs } from "./Payoffs";
import { chosenModels, MOST_SHOWN, type Parts, overviewQuestions, shownModels } from "./questions";
import { VerdictCard } from "./VerdictCard";

// The first room: a verdict a model, and what the threshold does to each.
export function OverviewRoom({ about }: { about: About }) {
  const [data, calibration] = [usePart((state) => state.data), usePart((state) => state.calibration)];
  const [scores, overview] = [usePart((state) => state.models), usePart((state) => state.overview)];
  const parts: Parts = { data, calibration, models: scores, overview };
  const questions = overviewQuestions(about, parts, useRequests(), useVocabulary());
  const models = shownModels(about, parts);
  return (
    <div class="stack overview">
      <Shown about={about} parts={parts} />
      <Cards about={about} parts={parts} questions={questions} models={models} />
      <Multiples about={about} target={data.target ?? about.positive} questions={questions} models={models} />
      <Distribution about={about} model={models[0] ?? null} />
      {questions.profit && <Payoffs about={about} question={questions.profit} />}
    </div>
  );
}

interface CardsProps {
  about: About;
  parts: Parts;
  questions: ReturnType<typeof overviewQuestions>;
  models: string[];
}

function Cards({ about, parts, questions, models }: CardsProps) {
  const patience = usePatience(questions.test, about.rows * about.k * parts.calibration.resamples);
  const test = useAnswer<TestAnswer>(patience.question);
  const scores = useAnswer<ScoresAnswer>(questions.scores);
  const names: (string | null)[] = models.length ? models : [null];
  return (
    <section class="stack" aria-label="Verdicts">
      {test.error && <Notice failure={test.error} retry={test.retry} />}
      {scores.error && <Notice failure={scores.error} retry={scores.retry} />}
      {patience.want && <PatienceRow what="Test calibration" want={patience.want} />}
      <div class="overview-cards">
        {names.map((name, color) => (
          <VerdictCard
            key={name ?? ""}
            name={name ?? about.name}
            color={names.length > 1 ? color : null}
            test={patience.question === null ? null : (test.answer?.models.find((one) => one.model === name) ?? null)}
            testing={test.busy}
            scores={scores.answer}
            line={scores.answer?.results.find((one) => one.model === name) ?? null}
            stale={test.stale || scores.stale}
          />
        ))}
      </div>
      <Hints of={test.answer && { ...test.answer, notes: test.answer.shared_notes }} />
      {scores.answer && <Reasons answer={scores.answer} />}
    </section>
  );
}

// What is shown where there is a choice: at most so many models, and the view of the calibration.
function Shown({ about, parts }: { about: About; parts: Parts }) {
  const store = useStore();
  const requests = useRequests();
  const names = chosenModels(about, parts);
  const shown = shownModels(about, parts);
  const views = about.k > 2 && about.has_prob;
  if (names.length <= MOST_SHOWN && !views) return null;
  return (
    <div class="panel row end overview-shown">
      {names.length > MOST_SHOWN && (
        <fieldset class="overview-models">
          <legend>Models shown, at most {MOST_SHOWN}</legend>
          <div class="row">
            {names.map((name) => (
              <Check
                key={name}
                label={name}
                checked={shown.includes(name)}
                disabled={shown.includes(name) ? shown.length === 1 : shown.length >= MOST_SHOWN}
                onChange={() => store.edit("overview", { models: switched(names, shown, name) })}
              />
            ))}
          </div>
        </fieldset>
      )}
      {views && <Select label="View of calibration" value={parts.calibration.view ?? ""} choices={choicesOf(requests, "calibration", "view")} onChange={(view) => store.edit("calibration", { view: view || null })} />}
    </div>
  );
}
