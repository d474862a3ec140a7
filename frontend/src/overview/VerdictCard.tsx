import type { TestOfModel } from "../calibration/answers";
import type { Measured, ScoreLine, ScoresAnswer } from "../models/answers";
import { useStore } from "../store";
import { Num } from "../ui/Num";
import { Hint } from "../ui/Notice";
import { Waiting } from "../ui/Waiting";
import { capital, valueOf } from "../models/words";
import { Swatch } from "../reading/Swatch";
import { revealNext } from "../ui/useReveal";
import { sectionOf, stepTo } from "./steps";

const FOUR = ["log-loss", "brier-score", "roc-auc", "ece"];
const SIZES = ["size", "ece"]; // how large the miscalibration is, where the verdict says so
const MARKS = { bad: "✕", good: "✓", open: "?", "": "" } as const; // beside the words, so that nothing differs by colour alone

interface Props {
  name: string;
  color: number | null; // of its lines, where there are several models
  test: TestOfModel | null;
  testing: boolean;
  scores: ScoresAnswer | null;
  line: ScoreLine | null;
  stale: boolean;
}

// What is known of a model at a glance: the verdict on its calibration, four numbers, the next step.
export function VerdictCard({ name, color, test, testing, scores, line, stale }: Props) {
  const shown = test?.presentation ?? null;
  const size = shown?.details.find(({ key }) => SIZES.includes(key));
  const beside = shown?.details.find(({ key }) => key === "null_mean");
  return (
    <article class={stale ? "block verdict-card stale" : "block verdict-card"} aria-label={name} aria-busy={testing || line === null}>
      <h2 class="named">
        {color !== null && <Swatch color={color} />}
        {name}
      </h2>
      {shown && (
        <p class="verdict-said" data-name="verdict" data-tone={shown.tone}>
          {MARKS[shown.tone] && (
            <span class="verdict-mark" aria-hidden="true">
              {MARKS[shown.tone]}
            </span>
          )}
          <span>{shown.summary}</span>
        </p>
      )}
      {size && (
        <p class="verdict-size" data-name="verdict-size">
          {capital(size.label)} {size.text}
          {beside && `, ${beside.label} ${beside.text}`}
        </p>
      )}
      {!shown && testing && <Waiting what="Testing calibration" />}
      {scores && line && <Numbers scores={scores} line={line} />}
      {test?.own_notes.map((text) => <Hint key={text}>{text}</Hint>)}
      {shown?.next_step && <NextStep step={shown.next_step} model={test!.model} />}
    </article>
  );
}

function Numbers({ scores, line }: { scores: ScoresAnswer; line: ScoreLine }) {
  const of = (name: string) => line.metrics.find((one) => one.metric === name && valueOf(one) !== null);
  const found = FOUR.filter(of);
  const names = found.length ? found : scores.metrics.map((one) => one.name).filter(of);
  return (
    <dl class="verdict-numbers">
      {names.map((name) => (
        <div key={name}>
          <dt>{capital(scores.metrics.find((one) => one.name === name)!.title)}</dt>
          <dd>
            <strong>
              <Num value={valueOf(of(name)!)} digits={3} name={name} />
            </strong>
            <Beside name={name} one={of(name)!} line={line} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

// What a number is compared with: its interval, or what is expected if calibrated.
function Beside({ name, one, line }: { name: string; one: Measured; line: ScoreLine }) {
  const interval = line.roc_auc?.interval_range;
  if (name === "roc-auc" && interval) {
    return (
      <small>
        {100 * line.roc_auc!.level} % CI <Num value={interval[0]} digits={3} name="auc-low" /> to <Num value={interval[1]} digits={3} name="auc-high" />
      </small>
    );
  }
  if (name !== "ece" || one.null_mean === undefined || one.null_mean === null) return null;
  return (
    <small>
      expected if calibrated <Num value={one.null_mean} digits={3} name="ece-expected" />
    </small>
  );
}

function NextStep({ step, model }: { step: { request: string; text: string }; model: string | null }) {
  const store = useStore();
  return (
    <p class="verdict-next">
      <button type="button" class="link" onClick={() => {
          revealNext(sectionOf(step.request));
          store.change(stepTo(step.request, model, store.state));
        }}>
        {step.text}
      </button>
    </p>
  );
}
