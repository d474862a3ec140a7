import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { type Unit, useCursor } from "../cursor";
import { FormulaBox } from "../formula/FormulaBox";
import type { Question } from "../host";
import { choicesOf, labelOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { Num } from "../ui/Num";
import { type Best, type OptimumAnswer, thresholdNumber } from "./answers";
import { optimumQuestion, type Shown } from "./questions";
import { Disclosure } from "../ui/Disclosure";

// What is to be best and under which constraint, and the answer.
export function Optimum({ shown }: { shown: Shown }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const { answer, unit } = shown;
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "optimum", param);
  const question = optimumQuestion(shown, reading);
  const found = useAnswer<OptimumAnswer>(question);
  const own = String(answer.settings.y);
  return (
    <>
      <div class="pair">
        <Select
          label={label("goal")}
          value={reading.optimum ?? "max"}
          choices={choicesOf(requests, "optimum", "goal")}
          onChange={(value) => store.edit("reading", { optimum: value === "min" ? "min" : "max" })}
        />
        <Select
          label={label("y")}
          value={reading.measure ?? ""}
          choices={[{ value: "", label: `y of the curve (${answer.y_title})` }, ...choicesOf(requests, "optimum", "y")]}
          onChange={(value) => store.edit("reading", { measure: value || null })}
        />
      </div>
      {reading.measure === null && answer.best.why && <Hint>{answer.best.why}</Hint>}
      <FormulaBox label={label("subject_to")} part="subject_to" value={reading.subject_to} placeholder="recall >= 0.85" onChange={(value) => store.edit("reading", { subject_to: value }, "subject_to")} />
      {question && (
        <span class="tools">
          <PinButton question={question} title={`Best threshold of ${reading.measure ?? own}`} />
        </span>
      )}
      <Answer of={found} what="Finding the best threshold">
        {(told) => <Bests answer={told} unit={unit} question={found.stale ? null : question} />}
      </Answer>
    </>
  );
}

export function Bests({ answer, unit, question = null, compact = false }: { answer: OptimumAnswer; unit: Unit; question?: Question | null; compact?: boolean }) {
  return (
    <div class="stack">
      {answer.results.map((best) => (
        <OneBest key={best.model ?? ""} best={best} unit={unit} question={question && (best.model === null ? question : { ...question, model: best.model })} compact={compact} />
      ))}
    </div>
  );
}

function OneBest({ best, unit, question, compact }: { best: Best; unit: Unit; question: Question | null; compact: boolean }) {
  const cursor = useCursor();
  const threshold = thresholdNumber(best.point.threshold);
  return (
    <div class="best">
      {best.model !== null && <h3>{best.model}</h3>}
      <p class="verdict">{best.verdict}</p>
      {threshold !== null && (
        <dl class="facts">
          <Fact title="Best threshold" name="threshold" value={threshold} />
          <Fact title="Value there" name="value" value={best.value} />
          {best.gain !== null && <Fact title="Gain over 0.5" name="gain" value={best.gain} />}
          <Fact title="Cross-validated value" name="honest_value" value={best.honest_value} />
          <Fact title="Optimism" name="optimism" value={best.optimism} />
        </dl>
      )}
      {threshold !== null && !compact && (
        <div class="tools">
          <button onClick={() => cursor.move(threshold, true, { unit })}>Take this threshold{best.model === null ? "" : <span class="visually-hidden"> of {best.model}</span>}</button>
          {question && <ExportMenu question={question} name={`best threshold${best.model === null ? "" : ` of ${best.model}`}`} />}
        </div>
      )}
      {best.notes.length > 0 && !compact && (
        <Disclosure title="Notes">
          <ul class="hints">
            {best.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

function Fact({ title, name, value }: { title: string; name: string; value: number | null }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <Num value={value} name={name} />
      </dd>
    </>
  );
}
