import { useMemo } from "preact/hooks";
import type { About } from "../answers";
import type { Answered } from "../ask";
import type { Question } from "../host";
import { ReadingBelow } from "../reading/ReadingBelow";
import { ReadingPanel, useReading } from "../reading/ReadingPanel";
import { useCasesBrush, useReadingMarks } from "../reading/marks";
import { shownOf } from "../reading/questions";
import { useStore } from "../store";
import { Answer } from "../ui/Answer";
import { useReveal } from "../ui/useReveal";
import type { DrawnCurve } from "./answer";
import { CurveFigure } from "./CurveFigure";
import { CurvePanel } from "./CurvePanel";
import { Gallery } from "./Gallery";
import { useCurve, useSecond } from "./useCurve";

const NOT_RANKED = "rows-not-ranked"; // the code of a count at a threshold where nothing rates the rows

export function CurvesRoom({ about }: { about: About }) {
  const { found, question, drawn, waiting, compute, problem } = useCurve(about);
  useSecond(question); // asked for together with the first
  const { second, right, last } = useSecond(drawn);
  const problems = Object.values(problem);
  return (
    <div class="curves-room">
      <CurvePanel about={about} answer={found.answer} second={last} stale={found.stale} waiting={waiting} compute={compute} />
      <div class="stack curves-main">
        <Gallery about={about} ready={found.answer !== null && !found.busy} />
        {problems.length > 0 && <p class="notice">Not drawn yet: {problems.join("; ")}.</p>}
        <SortFix found={found} />
        <div class={waiting ? "curve-pending" : undefined}>
          <Answer of={boxed(found)} what="Drawing the curve">
            {({ curve }) => <Drawn answer={curve} second={right} question={drawn} about={about} />}
          </Answer>
        </div>
        {second.error && <p class="notice">Second y: {second.error.message}</p>}
      </div>
    </div>
  );
}

// The chart, with what is read off it beside and below.
function Drawn({ answer, second, question, about }: { answer: DrawnCurve; second: DrawnCurve | null; question: Question; about: About }) {
  const shown = useMemo(() => shownOf(answer, question, about), [answer, question, about]);
  const read = useReading(shown);
  const { marks, between, usual, ends } = useReadingMarks(shown, read.found);
  const brush = useCasesBrush(shown);
  const compared = useReveal();
  return (
    <div class="curve-and-reading">
      <CurveFigure answer={answer} second={second} question={question} marks={marks} usual={usual} ends={ends} brush={brush} {...(between ? { between } : {})} />
      <div class="curve-beside">
        <ReadingPanel shown={shown} {...read} onCompare={compared.show} />
      </div>
      <div class="curve-below">
        <ReadingBelow shown={shown} about={about} compared={compared.ref} />
      </div>
    </div>
  );
}

// One click out of the commonest mistake.
function SortFix({ found }: { found: Answered<DrawnCurve> }) {
  const store = useStore();
  if (found.error?.code !== NOT_RANKED) return null;
  return (
    <p>
      <button type="button" onClick={() => store.edit("curve", { sort_by: null, direction: null })}>
        Sort by probability
      </button>
    </p>
  );
}

// The notes of a curve stand in its figure; in a box of its own the answer has none to repeat.
const boxed = (found: Answered<DrawnCurve>): Answered<{ curve: DrawnCurve }> => ({ ...found, answer: found.answer && { curve: found.answer } });
