import { Chart } from "../chart/Chart";
import type { Series } from "../chart/types";
import { DataTable, type Column } from "../ui/DataTable";
import { Notes } from "../ui/Presentation";
import type { CompareAnswer, PairLine, RankLine } from "./answers";
import { SpanText } from "./ScoresTable";
import { capital, pairName } from "./words";

// Differences with their intervals, what they say in words, and what to know before believing it.
export function CompareShown({ answer, title, compact = false }: { answer: CompareAnswer; title: string; compact?: boolean }) {
  return (
    <>
      <ul class="verdicts">
        {answer.pairs.map((pair) => (
          <li key={`${pairName(pair.models)} ${pair.after ?? ""}`} class={pair.better === null ? "open" : "shown"}>
            {pair.verdict}
          </li>
        ))}
      </ul>
      <Differences answer={answer} title={title} />
      <DataTable caption={`Differences of the ${title}`} columns={columns(answer)} rows={answer.pairs} />
      {Object.entries(answer.ranks).map(([name, ranks]) => (
        <Ranks key={name} name={name} ranks={ranks} />
      ))}
      {!compact && <Why answer={answer} />}
    </>
  );
}

const label = (pair: PairLine): string => pairName(pair.models) + (pair.after ? `, after ${pair.after}` : "");

function Differences({ answer, title }: { answer: CompareAnswer; title: string }) {
  const known = answer.pairs.filter((pair) => pair.difference !== null);
  if (!known.length) return null;
  const some = (name: string, color: number, pairs: PairLine[]): Series[] =>
    pairs.length
      ? [
          {
            id: name,
            name,
            color,
            style: "points",
            x: Float64Array.from(pairs, (pair) => known.indexOf(pair)),
            y: Float64Array.from(pairs, (pair) => pair.difference!),
            low: Float64Array.from(pairs, (pair) => pair.interval_range[0] ?? NaN),
            high: Float64Array.from(pairs, (pair) => pair.interval_range[1] ?? NaN),
          },
        ]
      : [];
  return (
    <Chart
      label={`Differences of the ${title} with ${100 * answer.level} % intervals`}
      x={{ title: "Pair of models", names: known.map(label) }}
      y={{ title: `Difference of the ${title}` }}
      series={[
        ...some("significant difference", 0, known.filter((pair) => pair.better !== null)),
        ...some("no significant difference", 1, known.filter((pair) => pair.better === null)),
      ]}
      marks={[{ kind: "rule", axis: "y", at: 0, label: "no difference" }]}
      height={300}
      legend
      table={false}
    />
  );
}

function columns(answer: CompareAnswer): Column<PairLine>[] {
  const after = answer.pairs.some((pair) => pair.after !== null);
  const posterior = answer.pairs.some((pair) => pair.posterior !== null);
  return [
    { title: "Model", value: (pair) => pair.models[0] },
    { title: "Other", value: (pair) => pair.models[1] },
    ...(after ? [{ title: "After", value: (pair: PairLine) => pair.after ?? "without recalibration" }] : []),
    { title: "First model", value: (pair) => pair.values[0] },
    { title: "Second model", value: (pair) => pair.values[1] },
    { title: "Difference", name: "difference", value: (pair) => pair.difference },
    { title: `${100 * answer.level} % interval`, value: (pair) => (pair.interval_range[0] === null ? null : <SpanText span={pair.interval_range} />) },
    { title: "p", p: true, name: "p_value", value: (pair) => pair.p_value },
    ...(answer.pairs.length > 1 && answer.adjust ? [{ title: "Adjusted p", p: true, value: (pair: PairLine) => pair.adjusted_p_value }] : []),
    ...(posterior ? [{ title: "Probability of practical equality", value: (pair: PairLine) => pair.posterior?.["practically_equal"] ?? null }] : []),
    { title: "Better", value: (pair) => pair.better ?? "not shown" },
  ];
}

// Average ranks over data sets: intervals of half the critical difference overlap where Nemenyi's test
// does not tell two models apart.
function Ranks({ name, ranks }: { name: string; ranks: RankLine }) {
  const order = ranks.models.map((model, place) => ({ model, rank: ranks.average_ranks[place]! })).sort((a, b) => a.rank - b.rank);
  const half = (ranks.critical_difference ?? NaN) / 2;
  return (
    <section class="ranks">
      <h3>Ranks over {ranks.n} data sets</h3>
      <Chart
        label={`Average ranks by ${name}`}
        x={{ title: "Model", names: order.map((one) => one.model) }}
        y={{ title: "Average rank, 1 is best", zero: false }}
        series={[
          {
            id: "ranks",
            name: "rank ± half the critical difference",
            color: 0,
            style: "points",
            x: Float64Array.from(order, (_, place) => place),
            y: Float64Array.from(order, (one) => one.rank),
            low: Float64Array.from(order, (one) => one.rank - half),
            high: Float64Array.from(order, (one) => one.rank + half),
          },
        ]}
        height={280}
        legend
        table={false}
      />
      <DataTable
        caption="Average ranks"
        columns={[
          { title: "Model", value: (one) => one.model },
          { title: "Average rank", value: (one) => one.rank },
        ]}
        rows={order}
      />
      <p>{ranks.presentation.summary}</p>
      <Notes presentation={ranks.presentation} />
    </section>
  );
}

function Why({ answer }: { answer: CompareAnswer }) {
  return (
    <section class="why">
      <h3>The test and the reason for it</h3>
      <p>{answer.why}</p>
      {answer.remarks.length > 0 && (
        <ul class="hints">
          {answer.remarks.map((remark) => <li key={remark}>{capital(remark)}</li>)}
        </ul>
      )}
    </section>
  );
}
