import { useAnswer } from "../ask";
import type { View } from "../views";
import { Answer } from "../ui/Answer";
import { counted } from "../ui/format";
import { Hint } from "../ui/Notice";
import { Num, PNum } from "../ui/Num";
import { Notes } from "../ui/Presentation";
import { Chart } from "../chart/Chart";
import { reliabilityFigure } from "../overview/figures";
import type { DiagramAxis, ErrorAnswer, ReliabilityAnswer } from "./answers";
import { axisOf } from "./diagramAxes";
import { NullHistogram } from "./NullHistogram";
import { BareBins, ReliabilityChart } from "./ReliabilityChart";

export const shownOf = <One extends { model: string | null }>(answer: { shown: string | null; models: One[] }): One =>
  answer.models.find((one) => one.model === answer.shown) ?? answer.models[0]!;

// The diagram of one model, its error beside what is expected if calibrated, and their null.
export const ReliabilityView: View = ({ question, compact }) => {
  const found = useAnswer<ReliabilityAnswer>(question, { delay: 120 });
  return (
    <Answer of={found} what="Measuring calibration">
      {(answer) => <Shown answer={answer} compact={compact ?? false} others={question["others"] === true} every={question["every"] === true} axis={axisOf(question)} />}
    </Answer>
  );
};

function Shown({ answer, compact, others, every, axis }: { answer: ReliabilityAnswer; compact: boolean; others: boolean; every: boolean; axis: DiagramAxis }) {
  if (every) return <EveryModel answer={answer} axis={axis} />;
  const found = shownOf(answer);
  const label = `Reliability diagram${found.model === null ? "" : ` of ${found.model}`}`;
  const rest = others ? answer.models.filter((one) => one !== found && one.curve) : [];
  const overlays = rest.map((one) => ({ name: one.model ?? "", x: one.curve!.mean_probability, y: one.curve!.outcome_share, muted: true }));
  const diagram = found.curve ? <ReliabilityChart curve={found.curve} label={label} overlays={overlays} beside={rest.map((one) => one.curve!)} axis={axis} compact={compact} /> : <BareBins found={found} label={label} />;
  if (compact) {
    return (
      <>
        {diagram}
        <ErrorWords found={found} />
      </>
    );
  }
  return (
    <div class="cal-pair">
      <div>
        {diagram}
        {found.why_no_curve && <Hint>{found.why_no_curve}</Hint>}
      </div>
      <div class="stack">
        <ErrorWords found={found} />
        <Facts found={found} />
      </div>
      <div class="cal-wide">
        {found.histogram && <NullHistogram bars={found.histogram} title={`Calibration error (${found.distance})`} label={`Calibration errors of ${found.model ?? "these rows"} if calibrated`} draws={found.resamples} />}
      </div>
    </div>
  );
}

// All models in one diagram, as the overview draws them, and their errors.
function EveryModel({ answer, axis }: { answer: ReliabilityAnswer; axis: DiagramAxis }) {
  const figure = reliabilityFigure(answer.models, null, axis);
  return (
    <>
      {figure && <Chart {...figure} table={false} />}
      {answer.models.map((one) => (
        <ErrorWords key={one.model} found={one} />
      ))}
    </>
  );
}

export function ErrorWords({ found }: { found: ErrorAnswer }) {
  return (
    <div class="cal-words">
      <p class="cal-headline">
        <span class="cal-big">{found.value === null ? "∞" : <Num value={found.value} digits={3} name="error" />}</span> calibration error
        {found.model !== null && <> of {found.model}</>}
      </p>
      {found.presentation.summary && <p data-name="finding">{found.presentation.summary}</p>}
      <Notes presentation={found.presentation} />
    </div>
  );
}

function Facts({ found }: { found: ErrorAnswer }) {
  const [low, high] = found.null_range;
  return (
    <dl class="facts">
      <dt>Error</dt>
      <dd>{found.presentation.subject}</dd>
      <dt>Expected if calibrated</dt>
      <dd>
        <Num value={found.null_mean} digits={3} name="null-mean" /> (<Num value={low} digits={3} name="null-low" /> to <Num value={high} digits={3} name="null-high" />)
      </dd>
      <dt>p-value</dt>
      <dd><PNum value={found.p_value} name="p-value" /></dd>
      <dt>Above expected</dt>
      <dd><Num value={found.excess} name="excess" /></dd>
      {found.effective_n !== found.n && (
        <>
          <dt>Effective rows</dt>
          <dd><Num value={found.effective_n} /></dd>
        </>
      )}
      {found.impossible_rows > 0 && (
        <>
          <dt>Probability 0</dt>
          <dd>{counted(found.impossible_rows, "row")} whose observed class had predicted probability 0</dd>
        </>
      )}
    </dl>
  );
}
