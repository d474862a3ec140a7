import { useAnswer } from "../ask";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { Hint } from "../ui/Notice";
import { PEquals } from "../ui/Num";
import { Legend, Notes } from "../ui/Presentation";
import type { View } from "../views";
import type { TestAnswer, TestOfModel } from "./answers";
import { NullHistogram } from "./NullHistogram";
import { capital } from "./ReliabilityChart";
import { shownOf } from "./ReliabilityView";

// Are the probabilities calibrated? The verdict in words, and the null it rests on.
export const TestView: View = ({ question, compact }) => {
  const found = useAnswer<TestAnswer>(question, { delay: 120 });
  return (
    <Answer of={found} what="Testing calibration">
      {(answer) => <Shown answer={answer} one={shownOf(answer)} compact={compact ?? false} />}
    </Answer>
  );
};

function Shown({ answer, one, compact }: { answer: TestAnswer; one: TestOfModel; compact: boolean }) {
  return (
    <div class={compact ? "stack" : "cal-pair"}>
      <div class="cal-words">
        <p class="cal-headline">
          <span class="cal-big"><PEquals value={one.p_value} name="test-p" /></span>
          {one.model !== null && <> {one.model}</>}
        </p>
        <p data-name="verdict">{one.presentation.summary}</p>
        {one.reason && <Hint>{capital(one.reason)}.</Hint>}
        <Notes presentation={one.presentation} />
        {!compact && (
          <dl class="facts">
            <dt>Test</dt>
            <dd>{one.title}: {one.formula}</dd>
            <dt>Statistic</dt>
            <dd>{one.presentation.subject.replace("Statistic: ", "")}</dd>
            <dt>Null distribution</dt>
            <dd>{one.method}</dd>
            <dt>Source</dt>
            <dd>{one.source}</dd>
          </dl>
        )}
      </div>
      <div class="cal-first">
        {one.histogram ? (
          <NullHistogram bars={one.histogram} title={capital(one.statistic)} label={`Null of the test ${one.statistic}`} draws={one.resamples} />
        ) : (
          <Legend presentation={one.presentation} />
        )}
        {!compact && answer.models.length > 1 && (
          <DataTable
            caption={`The same test of every chosen model`}
            rows={answer.models}
            columns={[
              { title: "Model", value: (row) => row.model },
              { title: "Statistic", value: (row) => row.value },
              { title: "p", p: true, value: (row) => row.p_value },
            ]}
          />
        )}
      </div>
    </div>
  );
}
