import type { About } from "../answers";
import { type Answered, useAnswer } from "../ask";
import type { Question } from "../host";
import { ReadingBelow } from "../reading/ReadingBelow";
import { ReadingPanel } from "../reading/ReadingPanel";
import { useReadingMarks } from "../reading/marks";
import { useStore } from "../store";
import { Answer } from "../ui/Answer";
import { type DrawnCurve, secondQuestion } from "./answer";
import { CurveFigure } from "./CurveFigure";
import { CurvePanel } from "./CurvePanel";
import { Gallery } from "./Gallery";
import { useCurve } from "./useCurve";

const NO_THRESHOLD = /depends on the threshold, and the rows are/;

export function CurvesRoom({ about }: { about: About }) {
  const { found, question, waiting, compute, problem } = useCurve(about);
  const asked = secondQuestion(question);
  const second = useAnswer<DrawnCurve>(asked);
  const right = asked === null ? null : second.answer;
  const problems = Object.values(problem);
  return (
    <div class="curves-room">
      <CurvePanel about={about} answer={found.answer} second={right} stale={found.stale} waiting={waiting} compute={compute} />
      <div class="stack curves-main">
        <Gallery about={about} ready={found.answer !== null && !found.busy} />
        {problems.length > 0 && <p class="notice">Not drawn yet: {problems.join("; ")}.</p>}
        <SortFix found={found} />
        <div class={waiting ? "curve-pending" : undefined}>
          <Answer of={boxed(found)} what="Drawing the curve">
            {({ curve }) => <Drawn answer={curve} second={right} question={question} about={about} />}
          </Answer>
        </div>
        {second.error && asked !== null && <p class="notice">Second y: {second.error.message}</p>}
      </div>
    </div>
  );
}

// The chart, with what is read off it beside and below.
function Drawn({ answer, second, question, about }: { answer: DrawnCurve; second: DrawnCurve | null; question: Question; about: About }) {
  const { marks, between } = useReadingMarks(answer);
  return (
    <div class="curve-and-reading">
      <CurveFigure answer={answer} second={second} question={question} marks={marks} {...(between ? { between } : {})} />
      <div class="curve-beside">
        <ReadingPanel answer={answer} about={about} />
      </div>
      <div class="curve-below">
        <ReadingBelow answer={answer} about={about} />
      </div>
    </div>
  );
}

// One click out of the commonest mistake: counts at a threshold where nothing rates the rows.
function SortFix({ found }: { found: Answered<DrawnCurve> }) {
  const store = useStore();
  if (found.error?.kind !== "formula" || !NO_THRESHOLD.test(found.error.message)) return null;
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
