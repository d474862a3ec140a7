import { type Answered, useAnswer } from "../ask";
import { PinButton } from "../board/PinButton";
import { type Unit, useCursor } from "../cursor";
import type { Question } from "../host";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { numberText } from "../ui/format";
import { Hint } from "../ui/Notice";
import { useReveal } from "../ui/useReveal";
import { type OptimumAnswer, type ReadingAnswer, thresholdNumber } from "./answers";
import { Counts } from "./Counts";
import { IsoCost } from "./IsoCost";
import { Live } from "./Live";
import { Optimum } from "./Optimum";
import { freshOf } from "./marks";
import { optimumQuestion, readingQuestion, type Shown } from "./questions";
import type { ReadingState } from "./state";
import { Section } from "./Section";
import { ThresholdControl } from "./ThresholdControl";
import { usePausedThreshold } from "./usePaused";

interface Read {
  question: Question;
  found: Answered<ReadingAnswer>;
}

const PAUSE = 80; // milliseconds that the threshold stands still before rows are counted

// What is read where the threshold stands; the chart marks it, the panel shows it.
export function useReading(shown: Shown): Read {
  const question = readingQuestion(shown, usePausedThreshold(PAUSE, shown.unit));
  return { question, found: useAnswer<ReadingAnswer>(question) };
}

// What is read off the curve at the threshold; beside the chart.
export function ReadingPanel({ shown, question, found, onCompare }: { shown: Shown; question: Question; found: Answered<ReadingAnswer>; onCompare: () => void }) {
  const best = useReveal();
  const { answer, unit } = shown;
  const reading = found.answer;
  return (
    <section class="stack reading" aria-label="Reading">
      <div class="panel stack">
        <header>
          <h2>Reading</h2>
          <span class="tools">
            <CompareButton shown={shown} onCompare={onCompare} />
            <PinButton question={question} title={`Reading of ${answer.title}`} />
          </span>
        </header>
        {reading && <ThresholdControl reading={reading} unit={unit} />}
        <OfAnother unit={unit} />
        {reading && reading.low !== null && <Jumps shown={shown} reading={reading} onFind={best.show} />}
        <Live shown={shown} found={found} />
        <Answer of={found} what="Counting">
          {(told) => <Counts reading={told} />}
        </Answer>
      </div>
      <BestSection shown={shown} at={best.ref} />
      {reading?.roc && <CostSection shown={shown} />}
    </section>
  );
}

// A threshold that was chosen on another curve means nothing here.
function OfAnother({ unit }: { unit: Unit }) {
  const threshold = usePart((state) => state.threshold);
  const of = usePart((state) => state.reading.threshold_of);
  if (threshold === null || of === unit) return null;
  return (
    <Hint>
      The threshold {numberText(threshold)} was chosen on {of ?? "the model's own rating"} and does not apply to {unit ?? "the model's own rating"}. The default threshold is used here.
    </Hint>
  );
}

// The quick ways to a threshold.
function Jumps({ shown, reading, onFind }: { shown: Shown; reading: ReadingAnswer; onFind: () => void }) {
  const cursor = useCursor();
  const store = useStore();
  const state = usePart((one) => one.reading);
  const { unit } = shown;
  const best = freshOf(useAnswer<OptimumAnswer>(optimumQuestion(shown, state)));
  const first = best?.results.find((one) => one.point.threshold !== null);
  const threshold = thresholdNumber(first?.point.threshold);
  return (
    <div class="tools">
      {reading.probability && <button onClick={() => cursor.move(0.5, true, { unit })}>0.5</button>}
      {state.optimum === null ? (
        <button onClick={() => (store.edit("reading", bestOf(shown, state)), onFind())}>Find the best</button>
      ) : (
        <button disabled={threshold === null} onClick={() => cursor.move(threshold, true, { unit })}>
          {shown.models.length > 1 ? `Best of ${first?.model ?? shown.models[0]}` : "Best"}
        </button>
      )}
    </div>
  );
}

// What is looked for first: y of the curve, or what tells more where y is best at an end.
const bestOf = ({ answer: { best } }: Shown, { measure }: ReadingState): Partial<ReadingState> => ({ optimum: best.goal, measure: measure ?? best.measure });

function CompareButton({ shown, onCompare }: { shown: Shown; onCompare: () => void }) {
  const store = useStore();
  const [first, second] = shown.models;
  if (first === undefined || second === undefined) return null;
  return <button onClick={() => (store.edit("reading", { difference: store.state.reading.difference ?? [first, second] }), onCompare())}>Compare</button>;
}

function BestSection({ shown, at }: { shown: Shown; at: { current: HTMLDivElement | null } }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  return (
    <Section title="Best threshold" at={at} open={reading.optimum !== null} onToggle={(opened) => store.edit("reading", opened ? bestOf(shown, reading) : { optimum: null })}>
      <Optimum shown={shown} />
    </Section>
  );
}

function CostSection({ shown }: { shown: Shown }) {
  const store = useStore();
  const open = usePart((state) => state.reading.iso_cost !== null);
  return (
    <Section title="Cost of errors" open={open} onToggle={(opened) => store.edit("reading", { iso_cost: opened ? { fp: 1, fn: 1 } : null })}>
      <IsoCost shown={shown} />
    </Section>
  );
}
