import { useState } from "preact/hooks";
import type { About, AttributeAbout } from "../answers";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { Chart } from "../chart/Chart";
import { stacked } from "../chart/stack";
import type { Axis, Brush, Series } from "../chart/types";
import { both, clause, named } from "../data/choosing";
import { useVocabulary } from "../formula/vocabulary";
import type { Question } from "../host";
import { dataSection } from "../questions";
import { choicesOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Select } from "../ui/fields";
import { counted, dayText } from "../ui/format";
import type { Presentation } from "../ui/Presentation";
import type { View } from "../views";
import { type DistributionState, distributionOf, distributionQuestion, groupable } from "./distribution";

export interface ClassCountsAnswer {
  by: string;
  groups: string[];
  edges: number[] | null; // null: the groups are categories
  dates: boolean; // whether the edges are days since the beginning of 1970
  weighted: boolean;
  stacks: { name: string; rows: Float64Array; share: Float64Array }[];
  presentation: Presentation;
}

const OTHERS = /^\d+ other classes$/;
const PREDICTIONS: Record<string, string> = { probability: "Predicted probability", score: "Predicted score" };
const WIDE = 0.4; // from the middle of a category to the end of its bar

// How the classes are distributed over an attribute or over the predictions; a selected range becomes a filter.
export function Distribution({ about, model }: { about: About; model: string | null }) {
  const store = useStore();
  const state = usePart((all) => all.overview.distribution);
  const data = usePart((all) => all.data);
  const requests = useRequests();
  const shown = distributionOf(about, state);
  if (shown === null) return null;
  const question = distributionQuestion(data, shown, model);
  const drawn: Question = shown.share ? { ...question, share: true } : question; // how, not what
  const edit = (part: Partial<DistributionState>) => store.edit("overview", { distribution: { ...state, ...part } });
  const predicted = PREDICTIONS[shown.by];
  const title = `Classes by ${predicted ? `${predicted.toLowerCase()} of ${data.target ?? about.positive}` : shown.by}${model !== null && predicted ? ` (${model})` : ""}`;
  return (
    <section class="block distribution" aria-label="Distribution of the classes">
      <header>
        <h2>{title}</h2>
        <div class="tools">
          <PinButton question={drawn} title={title} />
          <ExportMenu question={drawn} name={title} />
        </div>
      </header>
      <div class="cal-controls">
        <Select label="Rows by" value={shown.by} choices={groupable(about).map((name) => ({ value: name, label: PREDICTIONS[name] ?? name }))} onChange={(by) => edit({ by })} />
        <Select label="Bars show" value={shown.share ? "share" : "rows"} choices={[{ value: "rows", label: "Rows" }, { value: "share", label: "Shares of the classes" }]} onChange={(what) => edit({ share: what === "share" })} />
        {isNumber(about, shown.by) && <Select label="Bins" value={String(shown.bins ?? "")} choices={choicesOf(requests, "class-counts", "bins").map((one) => ({ ...one, value: String(one.value) }))} onChange={(bins) => edit({ bins: bins === "" ? null : Number(bins) })} />}
      </div>
      <Selectable key={JSON.stringify(question)} question={question} attribute={about.attributes.find((one) => one.name === shown.by) ?? null} share={shown.share} />
    </section>
  );
}

const isNumber = (about: About, by: string): boolean => {
  const attribute = about.attributes.find((one) => one.name === by);
  return attribute === undefined || attribute.kind === "number" || attribute.kind === "date";
};

function Selectable({ question, attribute, share }: { question: Question; attribute: AttributeAbout | null; share: boolean }) {
  const found = useAnswer<ClassCountsAnswer>(question, { delay: 100 });
  const [range, setRange] = useState<[number, number] | null>(null);
  return (
    <Answer of={found} what="Counting rows">
      {(answer) => (
        <>
          <DistributionChart answer={answer} share={share} brush={{ label: "Select a range", range, onRange: setRange }} />
          {range && <Selected answer={answer} attribute={attribute} range={range} onDone={() => setRange(null)} />}
        </>
      )}
    </Answer>
  );
}

// What is selected, how many rows that are, and what can be done with them.
function Selected({ answer, attribute, range, onDone }: { answer: ClassCountsAnswer; attribute: AttributeAbout | null; range: [number, number]; onDone: () => void }) {
  const store = useStore();
  const data = usePart((all) => all.data);
  const bare = new Set(useVocabulary().variables.filter((one) => one.attribute || attribute === null).map((one) => one.name));
  const name = named(answer.by, bare);
  const condition = answer.edges === null ? ofCategories(name, answer, range, attribute) : ofNumbers(name, answer, range);
  const where = condition && both(data.where, condition);
  const rows = useAnswer<{ kept: number }>(where === null ? null : { kind: "rows", data: dataSection({ ...data, where }) }, { delay: 150 });
  if (where === null) return null;
  return (
    <p class="row selected" role="status">
      <span>
        Selected: <code>{condition}</code>
        {rows.answer && !rows.stale && <>, {counted(rows.answer.kept, "row")}</>}
      </span>
      <button type="button" class="primary" onClick={() => (store.edit("data", { where }), onDone())}>
        Keep only these rows
      </button>
      <button type="button" onClick={onDone}>
        Reset
      </button>
    </p>
  );
}

function ofNumbers(name: string, { dates, edges }: ClassCountsAnswer, [low, high]: [number, number]): string | null {
  if (dates) return clause(name, { kind: "date", low: dayText(Math.ceil(low)), high: dayText(Math.max(Math.ceil(low), Math.floor(high))) });
  const step = (edges!.at(-1)! - edges![0]!) / 1000; // as fine as a drag
  const digits = Math.max(0, -Math.floor(Math.log10(step || 1)));
  return clause(name, { kind: "number", low: Number(low.toFixed(Math.min(digits, 12))), high: Number(high.toFixed(Math.min(digits, 12))) });
}

// The groups whose middle is within the range.
function ofCategories(name: string, { groups }: ClassCountsAnswer, [low, high]: [number, number], attribute: AttributeAbout | null): string | null {
  const chosen = groups.filter((_, place) => place >= low && place <= high);
  if (!chosen.length) return null;
  if (attribute?.kind === "truth") return chosen.length > 1 ? null : clause(name, { kind: "truth", value: chosen[0] === "True" });
  if (attribute?.kind === "date") return clause(name, { kind: "date", low: chosen[0]!, high: chosen.at(-1)! });
  if (attribute?.kind === "category") return clause(name, { kind: "category", values: chosen });
  return clause(name, { kind: "number", low: Number(chosen[0]), high: Number(chosen.at(-1)) });
}

function DistributionChart({ answer, share, brush, compact = false }: { answer: ClassCountsAnswer; share: boolean; brush?: Brush; compact?: boolean }) {
  const { edges, groups, stacks } = answer;
  const places = Float64Array.from(groups, (_, place) => place);
  const [from, to] = edges === null ? [places.map((place) => place - WIDE), places.map((place) => place + WIDE)] : [Float64Array.from(edges.slice(0, -1)), Float64Array.from(edges.slice(1))];
  const series = stacked(
    stacks.map((one, color): Series => ({ id: one.name, name: one.name, color, x: from, x1: to, y: share ? one.share : one.rows, style: "bars", muted: OTHERS.test(one.name) })),
  );
  const x: Axis = { title: PREDICTIONS[answer.by] ?? answer.by, ...(edges === null ? { names: groups } : { domain: [edges[0]!, edges.at(-1)!] }), ...(answer.dates && edges !== null ? { dates: true } : {}) };
  const y: Axis = share ? { title: "Share of the rows", domain: [0, 1] } : { title: answer.weighted ? "Weight of the rows" : "Rows", whole: !answer.weighted };
  return <Chart label={`Classes by ${answer.by}`} series={series} x={x} y={y} legend height={compact ? 240 : 320} table={!compact} {...(brush ? { brush } : {})} />;
}

// A pinned one, as its card shows it.
export const DistributionView: View = ({ question, compact = false }) => {
  const found = useAnswer<ClassCountsAnswer>(question);
  return (
    <Answer of={found} what="Counting rows">
      {(answer) => <DistributionChart answer={answer} share={question["share"] === true} compact={compact} />}
    </Answer>
  );
};
