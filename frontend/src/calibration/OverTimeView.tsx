import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import type { Mark, Series } from "../chart/types";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { Legend, Notes } from "../ui/Presentation";
import type { View } from "../views";
import type { MonitorAnswer } from "./answers";

// Every window: the evidence after it, and what was observed minus what was predicted.
export const OverTimeView: View = ({ question, compact }) => {
  const found = useAnswer<MonitorAnswer>(question);
  return (
    <Answer of={found} what="Comparing the windows">
      {(answer) => (
        <div class="stack">
          <p data-name="monitor-verdict">{answer.presentation.summary}</p>
          <Notes presentation={answer.presentation} />
          <EvidenceChart answer={answer} />
          <BiasChart answer={answer} />
          {!compact && (
            <DataTable
              caption="Windows in sequence"
              rows={answer.windows.map((row, place) => ({ ...row, e: answer.evidence[place]! }))}
              columns={[
                { title: "Window", value: (row) => row.name },
                { title: "Rows", value: (row) => row.n },
                { title: "Predicted", value: (row) => row.mean_prediction },
                { title: "Observed", value: (row) => row.observed },
                { title: "Log loss", value: (row) => row.log_loss },
                { title: "ECE", value: (row) => row.ece },
                { title: "Expected if calibrated", value: (row) => row.null_mean },
                { title: "e", value: (row) => row.e },
              ]}
            />
          )}
          {!compact && <Legend presentation={answer.presentation} />}
        </div>
      )}
    </Answer>
  );
};

const axisOf = (answer: MonitorAnswer) => ({ title: "Window", names: answer.windows.map((row) => row.name) });
const placesOf = (from: number, to: number) => Float64Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);

// The windows of the reference, in both charts; they are no evidence.
const referenceMarks = ({ reference }: MonitorAnswer, label: string): Mark[] => (reference ? [{ kind: "region", axis: "x", from: -0.5, to: reference - 0.5, label }] : []);

function EvidenceChart({ answer }: { answer: MonitorAnswer }) {
  const { reference, columns, alarm, threshold } = answer;
  const x = placesOf(reference, answer.windows.length);
  const series: Series[] = [{ id: "evidence", name: "evidence after each window", color: 0, x, y: columns.power.slice(reference), style: "line+points", dash: "solid" }];
  const marks: Mark[] = [
    ...referenceMarks(answer, "reference"),
    { kind: "rule", axis: "y", at: Math.log10(threshold), label: `alarm at e = ${Number(threshold.toPrecision(3))}` },
    ...(alarm === null ? [] : [{ kind: "point", x: alarm - 1, y: columns.power[alarm - 1]!, label: `alarm: ${answer.windows[alarm - 1]!.name}` } as const]),
  ];
  return <Chart label="Evidence over time" series={series} marks={marks} x={axisOf(answer)} y={{ title: "Evidence (log10 of e)", domain: evidenceDomain(columns.power, threshold) }} height={260} legend={false} table={false} />;
}

const evidenceDomain = (powers: Float64Array, threshold: number): [number, number] => [Math.min(-1, ...powers) - 0.2, Math.max(Math.log10(threshold) + 1, ...powers) + 0.4];

// Windows since the likely change are a series of their own.
function biasSeries({ windows, columns, since }: MonitorAnswer): Series[] {
  const of = (id: string, name: string, color: number, from: number, to: number): Series => {
    const part = (values: Float64Array) => values.slice(from, to);
    return { id, name: `${name}, 95 % CI`, color, x: placesOf(from, to), y: part(columns.bias), low: part(columns.low), high: part(columns.high), style: "points" };
  };
  const cut = since === null ? windows.length : since - 1;
  return [of("before", "observed − predicted", 0, 0, cut), of("since", "since the likely change", 1, cut, windows.length)].filter((one) => one.x.length);
}

function BiasChart({ answer }: { answer: MonitorAnswer }) {
  const { since } = answer;
  const marks: Mark[] = [
    ...referenceMarks(answer, ""),
    { kind: "rule", axis: "y", at: 0 },
    ...(since === null ? [] : [{ kind: "rule", axis: "x", at: since - 1.5, label: `most likely since ${answer.windows[since - 1]!.name}` } as const]),
  ];
  return <Chart label="Observed minus predicted over time" series={biasSeries(answer)} marks={marks} x={axisOf(answer)} y={{ title: "Observed − predicted, with 95 % CI", domain: biasDomain(answer.columns) }} height={260} legend={false} table={false} />;
}

// Zero is on it, and the name of the change has room above.
function biasDomain({ low, high }: MonitorAnswer["columns"]): [number, number] {
  const [least, most] = [Math.min(0, ...low), Math.max(0, ...high)];
  return [least - 0.06 * (most - least), most + 0.16 * (most - least)];
}
