import type { ComponentChildren } from "preact";
import { useId, useMemo } from "preact/hooks";
import type { About } from "../answers";
import { type Answered, useAnswer } from "../ask";
import { PinButton } from "../board/PinButton";
import type { ReliabilityAnswer } from "../calibration/answers";
import { axisOf } from "../calibration/diagramAxes";
import { capital } from "../calibration/ReliabilityChart";
import { Chart } from "../chart/Chart";
import type { ChartProps } from "../chart/types";
import { type DrawnCurve, figureOf } from "../curves/answer";
import { type Unit, unitOfQuestion } from "../cursor";
import type { Question } from "../host";
import { type ReadingAnswer, thresholdNumber } from "../reading/answers";
import { freshOf } from "../reading/marks";
import { readingQuestion, shownOf } from "../reading/questions";
import { ThresholdControl } from "../reading/ThresholdControl";
import { usePausedThreshold } from "../reading/usePaused";
import { Answer } from "../ui/Answer";
import { Hint } from "../ui/Notice";
import { Steady } from "../ui/Steady";
import type { OverviewQuestions } from "./questions";
import { reliabilityFigure } from "./figures";

const HEIGHT = 368;
const WORDS = 80; // letters of a sentence of the reading without names and counts
const PAUSE = 80; // milliseconds that the threshold stands still before rows are counted

interface Props {
  about: About;
  target: string;
  questions: OverviewQuestions;
  models: string[];
}

// Where the cursor of a chart stands.
type Linked = Pick<ChartProps, "unit" | "usual">;

// Four charts of the same models; one threshold goes through all of them.
export function Multiples({ about, target, questions, models }: Props) {
  const roc = useAnswer<DrawnCurve>(questions.roc);
  const precisionRecall = useAnswer<DrawnCurve>(questions.precisionRecall);
  const reliability = useAnswer<ReliabilityAnswer>(questions.reliability, { delay: 120 });
  const profit = useAnswer<DrawnCurve>(questions.profit, { delay: 120 });
  const unit = questions.roc === null ? null : unitOfQuestion(questions.roc);
  const threshold = usePausedThreshold(PAUSE, unit);
  const drawn = freshOf(roc);
  const shown = useMemo(() => (drawn === null || questions.roc === null ? null : shownOf(drawn, questions.roc, about)), [drawn, JSON.stringify(questions.roc), about]);
  const read = useAnswer<ReadingAnswer>(shown && readingQuestion(shown, threshold));
  const linked: Linked = { unit, usual: thresholdNumber(read.answer?.threshold) ?? undefined };
  return (
    <>
      {questions.roc && <Readout found={read} unit={unit} rows={about.rows} target={target} />}
      <div class="overview-charts">
        <CurveMultiple question={questions.roc} linked={linked} found={roc} what="Drawing the ROC curve" />
        <CurveMultiple question={questions.precisionRecall} linked={linked} found={precisionRecall} what="Drawing the precision–recall curve" />
        <ReliabilityMultiple question={questions.reliability} found={reliability} models={models} target={target} linked={linked} />
        <CurveMultiple question={questions.profit} linked={linked} found={profit} what="Drawing the profit" wide />
      </div>
    </>
  );
}

// What the threshold means for every model, in the words of the reading.
function Readout({ found, unit, rows, target }: { found: Answered<ReadingAnswer>; unit: Unit; rows: number; target: string }) {
  return (
    <section class="panel overview-readout" aria-label="Threshold">
      <Answer<ReadingAnswer> of={found} what="Counting">
        {(reading) => (
          <div class="overview-threshold">
            <ThresholdControl reading={reading} unit={unit} />
            <ul class="overview-read" data-name="readout" data-threshold={String(thresholdNumber(reading.threshold))}>
              {reading.lines.map((line) => (
                <li key={line.model ?? ""}>
                  <Steady text={line.presentation.summary} most={mostText(rows)} letters={WORDS + (line.model ?? "").length + target.length + 4 * mostText(rows).length} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </Answer>
    </section>
  );
}

// As wide as any number of a sentence: of rows, or per cent with a digit after the point.
const mostText = (rows: number): string => rows.toLocaleString("en").replace(/\d/g, "8").padStart(4, "8");

function Multiple({ title, question, wide = false, children }: { title: string; question: Question; wide?: boolean; children: ComponentChildren }) {
  const id = useId();
  return (
    <figure class={wide ? "block multiple-figure wide" : "block multiple-figure"} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <div class="tools">
          <PinButton question={question} title={title} />
        </div>
      </header>
      {children}
    </figure>
  );
}

function CurveMultiple({ question, found, what, linked, wide = false }: { question: Question | null; found: Answered<DrawnCurve>; what: string; linked: Linked; wide?: boolean }) {
  if (question === null) return null;
  const boxed = { ...found, answer: found.answer && { curve: found.answer } }; // the notes of a curve stand in its room
  return (
    <Multiple title={found.answer?.title ?? what} question={question} wide={wide}>
      <Answer of={boxed} what={what}>
        {({ curve }) => (curve.lines.some((line) => line.points > 0) ? <Small {...figureOf(curve, null)} {...linked} /> : <Missing curve={curve} />)}
      </Answer>
    </Multiple>
  );
}

const Small = (figure: ChartProps) => <Chart {...figure} cursor height={HEIGHT} legend={false} />;

const Missing = ({ curve }: { curve: DrawnCurve }) => (
  <>
    {[...new Set(curve.lines.map((line) => line.reason))].map((reason) => (
      <Hint key={reason}>{capital(reason ?? "no point is defined")}.</Hint>
    ))}
  </>
);

function ReliabilityMultiple({ question, found, models, target, linked }: { question: Question | null; found: Answered<ReliabilityAnswer>; models: string[]; target: string; linked: Linked }) {
  if (question === null) return null;
  return (
    <Multiple title="Calibration" question={models.length > 1 ? { ...question, every: true } : question}>
      <Answer of={found} what="Measuring calibration">
        {(answer) => {
          const shown = answer.models.filter((one) => one.model === null || models.includes(one.model));
          const figure = reliabilityFigure(shown, target, axisOf(question));
          if (figure === null) return <>{shown.slice(0, 1).map((one) => <Hint key={one.model}>{one.why_no_curve}</Hint>)}</>;
          return <Small {...figure} {...linked} />;
        }}
      </Answer>
    </Multiple>
  );
}
