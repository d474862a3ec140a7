import type { About, CurveAnswer } from "../answers";
import { useAnswer } from "../ask";
import { PinButton } from "../board/PinButton";
import { useCursor } from "../cursor";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Hint } from "../ui/Notice";
import { type OptimumAnswer, type ReadingAnswer, thresholdNumber } from "./answers";
import { Counts } from "./Counts";
import { IsoCost } from "./IsoCost";
import { Live } from "./Live";
import { Optimum } from "./Optimum";
import { optimumQuestion, readingQuestion, useSections } from "./questions";
import { Section } from "./Section";
import { ThresholdControl } from "./ThresholdControl";
import { usePausedThreshold } from "./usePaused";

const PAUSE = 80; // milliseconds that the threshold stands still before rows are counted

// What is read off the curve at the threshold; beside the chart.
export function ReadingPanel({ answer, about }: { answer: CurveAnswer; about: About }) {
  const question = readingQuestion(useSections(answer), usePausedThreshold(PAUSE));
  const found = useAnswer<ReadingAnswer>(question);
  const reading = found.answer;
  return (
    <section class="stack reading" aria-label="Reading">
      <div class="panel stack">
        <header>
          <h2>Reading</h2>
          <span class="tools">
            <CompareButton about={about} />
            <PinButton question={question} title={`Reading of ${answer.title}`} />
          </span>
        </header>
        {reading && <ThresholdControl reading={reading} />}
        {reading && reading.low !== null && <Jumps answer={answer} reading={reading} />}
        <Live answer={answer} usual={thresholdNumber(reading?.threshold)} />
        <Answer of={found} what="Counting">
          {(told) => <Counts reading={told} />}
        </Answer>
      </div>
      <BestSection answer={answer} />
      {reading?.roc && <CostSection answer={answer} />}
    </section>
  );
}

// The quick ways to a threshold.
function Jumps({ answer, reading }: { answer: CurveAnswer; reading: ReadingAnswer }) {
  const cursor = useCursor();
  const store = useStore();
  const state = usePart((one) => one.reading);
  const best = useAnswer<OptimumAnswer>(optimumQuestion(useSections(answer), state)).answer;
  const first = thresholdNumber(best?.results.find((one) => one.point.threshold !== null)?.point.threshold);
  return (
    <div class="tools">
      {reading.probability && <button onClick={() => cursor.move(0.5, true)}>0.5</button>}
      {state.optimum === null ? (
        <button onClick={() => store.edit("reading", { optimum: "max" })}>Find the best</button>
      ) : (
        <button disabled={first === null} onClick={() => cursor.move(first, true)}>
          Best
        </button>
      )}
    </div>
  );
}

function CompareButton({ about }: { about: About }) {
  const store = useStore();
  const [first, second] = about.models;
  if (first === undefined || second === undefined) return null;
  return <button onClick={() => store.edit("reading", { difference: store.state.reading.difference ?? [first, second] })}>Compare</button>;
}

function BestSection({ answer }: { answer: CurveAnswer }) {
  const store = useStore();
  const open = usePart((state) => state.reading.optimum !== null);
  return (
    <Section title="Best threshold" open={open} onToggle={(opened) => store.edit("reading", { optimum: opened ? "max" : null })}>
      <Optimum answer={answer} />
    </Section>
  );
}

function CostSection({ answer }: { answer: CurveAnswer }) {
  const store = useStore();
  const open = usePart((state) => state.reading.iso_cost !== null);
  return (
    <Section title="Cost of errors" open={open} onToggle={(opened) => store.edit("reading", { iso_cost: opened ? { fp: 1, fn: 1 } : null })}>
      <Hint>Points on the dashed line cost the same; nothing on the curve lies above it.</Hint>
      <IsoCost answer={answer} />
    </Section>
  );
}
