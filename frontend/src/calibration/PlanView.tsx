import { Fragment } from "preact";
import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import type { Mark, Series } from "../chart/types";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { Num } from "../ui/Num";
import type { View } from "../views";
import type { PlanAnswer } from "./answers";

// How many rows it takes to detect a fault, what these rows detect, and the power between.
export const PlanView: View = ({ question, compact }) => {
  const found = useAnswer<PlanAnswer>(question);
  return (
    <Answer of={found} what="Simulating data sets">
      {(answer) => (
        <div class={compact ? "stack" : "cal-pair"}>
          <PowerChart answer={answer} />
          <div class="stack">
            <p data-name="plan-verdict">{answer.presentation.summary}</p>
            {!compact && <Numbers answer={answer} />}
            {!compact && answer.tests.length > 0 && (
              <DataTable
                caption="The tests on the same data sets"
                rows={answer.tests}
                columns={[
                  { title: "Test", value: (row) => row.test },
                  { title: "Rows", value: (row) => row.n },
                  { title: "Power", value: (row) => row.power },
                  { title: "Standard error", value: (row) => row.std_error },
                ]}
              />
            )}
          </div>
        </div>
      )}
    </Answer>
  );
};

function Numbers({ answer }: { answer: PlanAnswer }) {
  return (
      <dl class="facts">
        {answer.power_at_n !== null && (
          <>
            <dt>Power</dt>
            <dd><Num value={answer.power_at_n} name="power-at-n" /></dd>
          </>
        )}
        {answer.presentation.details.map(({ key, label, text }) => (
          <Fragment key={key}>
            <dt>{label}</dt>
            <dd>
              <data value={String(answer[key as keyof PlanAnswer] ?? "")} data-name={key.replaceAll("_", "-")}>{text}</data>
            </dd>
          </Fragment>
        ))}
      </dl>
  );
}

function PowerChart({ answer }: { answer: PlanAnswer }) {
  const { points, fitted } = answer;
  if (!points.n.length) return null;
  const series: Series[] = [
    ...(fitted.n.length ? [{ id: "line", name: "fitted line", color: 0, x: fitted.n, y: fitted.power, style: "line", dash: "solid" } as const] : []),
    { id: "simulated", name: "simulated, ± 95 %", color: 1, x: points.n, y: points.power, low: points.low, high: points.high, style: "points" },
  ];
  const marks: Mark[] = [
    { kind: "rule", axis: "y", at: answer.power, label: `power ${answer.power}` },
    ...(answer.n_needed === null ? [] : [{ kind: "rule", axis: "x", at: answer.n_needed, label: `${answer.n_needed.toLocaleString("en")} rows` } as const]),
  ];
  return <Chart label={`Power of the ${answer.test} test against the number of rows`} series={series} marks={marks} x={{ title: "Number of rows" }} y={{ title: `Power at level ${answer.level}`, domain: [0, 1.02] }} height={300} />;
}
