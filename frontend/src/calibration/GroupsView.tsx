import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import type { Series } from "../chart/types";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { counted } from "../ui/format";
import { Legend } from "../ui/Presentation";
import type { View } from "../views";
import type { GroupsAnswer, WorstAnswer } from "./answers";

export const GroupsView: View = (props) => (props.question["by"] === null || props.question["by"] === undefined ? <WorstView {...props} /> : <ByView {...props} />);

// The bias of every group of an attribute, with its interval and the test of the group.
function ByView({ question, compact }: { question: Question; compact?: boolean }) {
  const found = useAnswer<GroupsAnswer>(question);
  return (
    <Answer of={found} what="Testing the groups">
      {(answer) => (
        <div class="stack">
          <p data-name="groups-verdict">{answer.presentation.summary}</p>
          <BiasChart answer={answer} />
          {!compact && (
            <DataTable
              caption={`Calibration by ${answer.by}`}
              rows={answer.groups}
              columns={[
                { title: "Group", value: (row) => row.group },
                { title: "Rows", value: (row) => row.n },
                { title: "Predicted", value: (row) => row.mean_probability },
                { title: "Observed", value: (row) => row.outcome_share },
                { title: "Bias", value: (row) => row.bias },
                { title: "p of bias", p: true, value: (row) => row.bias_p_value },
                { title: "Error", value: (row) => row.value },
                { title: "If calibrated", value: (row) => row.null_mean },
                { title: "Adjusted p", p: true, value: (row) => row.adjusted_p_value },
                { title: "Rejected", value: (row) => (row.rejected ? "yes" : "no") },
              ]}
            />
          )}
          {!compact && <Legend presentation={answer.presentation} />}
        </div>
      )}
    </Answer>
  );
}

// Groups that their test rejects are a series of their own.
function biasSeries({ groups, columns, level }: GroupsAnswer): Series[] {
  const of = (rejected: boolean): Series => {
    const places = Float64Array.from([...groups.keys()].filter((place) => groups[place]!.rejected === rejected));
    const column = (values: Float64Array) => places.map((place) => values[place]!);
    const name = rejected ? "rejected by its test" : "not rejected";
    return { id: name, name: `${name}; ${100 * level} % interval of the bias`, color: rejected ? 1 : 0, x: places, y: column(columns.bias), low: column(columns.bias_low), high: column(columns.bias_high), style: "points" };
  };
  return [of(false), of(true)].filter((one) => one.x.length);
}

function BiasChart({ answer }: { answer: GroupsAnswer }) {
  return (
    <Chart
      label={`Bias by ${answer.by}`}
      series={biasSeries(answer)}
      marks={[{ kind: "rule", axis: "y", at: 0 }]}
      x={{ title: answer.by, names: answer.groups.map((row) => row.group) }}
      y={{ title: "Observed − predicted" }}
      height={260}
      legend
      table={false}
    />
  );
}

// The worst of all slices, with a p-value that knows how many were looked at.
function WorstView({ question, compact }: { question: Question; compact?: boolean }) {
  const found = useAnswer<WorstAnswer>(question);
  return (
    <Answer of={found} what="Searching all slices">
      {(answer) => (
        <div class="stack">
          <p data-name="worst-verdict">{answer.presentation.summary}</p>
          <DataTable
            caption={`The worst of ${counted(answer.searched, "slice")}`}
            rows={compact ? answer.slices.slice(0, 3) : answer.slices}
            columns={[
              { title: "Slice", value: (row) => (row.class === undefined ? row.slice : `${row.slice} (${row.class})`) },
              { title: "Rows", value: (row) => row.n },
              { title: "Predicted", value: (row) => row.mean_probability },
              { title: "Observed", value: (row) => row.outcome_share },
              { title: "Bias", value: (row) => row.bias },
              { title: "z", value: (row) => row.z },
              { title: "Adjusted p", p: true, value: (row) => row.adjusted_p_value },
              { title: "Rejected", value: (row) => (row.rejected ? "yes" : "no") },
            ]}
          />
          {!compact && <Legend presentation={answer.presentation} />}
        </div>
      )}
    </Answer>
  );
}
