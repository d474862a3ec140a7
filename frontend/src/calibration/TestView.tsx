import { useAnswer } from "../ask";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { Hint } from "../ui/Notice";
import { PEquals } from "../ui/Num";
import type { View } from "../views";
import type { TestAnswer, TestOfModel } from "./answers";
import { NullHistogram } from "./NullHistogram";
import { capital } from "./ReliabilityChart";
import { shownOf } from "./ReliabilityView";

// Could the probabilities be true? The verdict in words, and the null it rests on.
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
        <p data-name="verdict">{one.verdict}</p>
        {one.finding && !one.verdict.includes(one.finding) && <p>{one.finding}</p>}
        {one.reason && <Hint>{capital(one.reason)}.</Hint>}
        {one.notes.map((note) => <Hint key={note}>{note}</Hint>)}
        {!compact && (
          <dl class="facts">
            <dt>Test</dt>
            <dd>{answer.title}: {answer.formula}</dd>
            <dt>View</dt>
            <dd>{one.view}</dd>
            <dt>Null</dt>
            <dd>{one.method}</dd>
            <dt>Source</dt>
            <dd>{answer.source}</dd>
          </dl>
        )}
      </div>
      <div>
        {one.histogram ? (
          <NullHistogram bars={one.histogram} title={capital(one.statistic)} label={`Null of the test ${one.statistic}`} draws={one.resamples} />
        ) : (
          <Hint>Nothing had to be drawn: the p-value is computed from the predictions themselves.</Hint>
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
