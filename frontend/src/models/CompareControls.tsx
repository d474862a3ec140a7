import { useState } from "preact/hooks";
import { choicesOf, labelOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { NumberField, Select, type Choice } from "../ui/fields";
import { LevelSelect } from "../ui/LevelSelect";
import { OtherControls } from "../ui/OtherControls";
import type { ComparableAnswer } from "./answers";
import type { ModelsState } from "./state";
import { capital } from "./words";
import { Disclosure } from "../ui/Disclosure";

const ALL = "";

export function CompareControls({ choices, names }: { choices: ComparableAnswer; names: string[] }) {
  const state = usePart((whole) => whole.models);
  const store = useStore();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "compare", param);
  const edit = (patch: Partial<ModelsState>) => store.edit("models", patch);
  const [open] = useState(() => state.after !== "" || state.rope !== null || state.test_share !== null);
  return (
    <>
      <div class="controls">
        <Select label={label("metrics")} value={state.metric ?? choices.usual} choices={choices.metrics.map((one) => ({ value: one.name, label: `${capital(one.title)} – ${one.best}` }))} onChange={(value) => edit({ metric: value === choices.usual ? null : value })} />
        <Pair names={names} pair={state.pair} onChange={(pair) => edit({ pair })} />
        <Select label={label("test")} value={state.test ?? ALL} choices={tests(choices, names.length)} onChange={(value) => edit({ test: value || null })} />
        <Select label={label("over")} value={state.over} choices={[{ value: ALL, label: "none: one data set" }, ...named(choices.attributes)]} onChange={(over) => edit({ over, test: null })} />
      </div>
      <Disclosure class="more" open={open} title="More settings">
        <div class="controls">
          <LevelSelect label={label("level")} value={state.level} onChange={(level) => edit({ level })} />
          <Select label={label("adjust")} value={state.adjust} choices={choicesOf(requests, "compare", "adjust")} onChange={(adjust) => edit({ adjust })} />
          <Select label={label("after")} value={state.after} choices={choicesOf(requests, "compare", "after")} onChange={(after) => edit({ after })} />
          <NumberField label={label("test_share")} hint="Empty: taken from the folds." value={state.test_share} min={0} max={1} onChange={(test_share) => edit({ test_share })} />
          <NumberField label={label("rope")} hint="In the unit of the metric. Empty: none." value={state.rope} min={0} onChange={(rope) => edit({ rope })} />
          <OtherControls request="compare" part="models" folded={false} />
        </div>
      </Disclosure>
    </>
  );
}

const named = (names: string[]): Choice[] => names.map((name) => ({ value: name, label: name }));

// What is refused for this design is not offered; what is too optimistic says so.
function tests(choices: ComparableAnswer, models: number): Choice[] {
  const offered = choices.tests.filter((test) => test.answer !== "refused" && (test.name !== "friedman" || models > 2));
  const label = (title: string, answer: string) => (answer === "fits" ? title : `${title} – too optimistic here`);
  return [{ value: ALL, label: "The one that fits best" }, ...offered.map((test) => ({ value: test.name, label: capital(label(test.title, test.answer)) }))];
}

function Pair({ names, pair, onChange }: { names: string[]; pair: [string, string] | null; onChange: (pair: [string, string] | null) => void }) {
  if (names.length < 3) return null;
  const others = (name: string) => names.filter((one) => one !== name);
  return (
    <>
      <Select
        label="Models"
        value={pair?.[0] ?? ALL}
        choices={[{ value: ALL, label: `all ${names.length}, every pair` }, ...named(names)]}
        onChange={(first) => onChange(first ? [first, pair && pair[1] !== first ? pair[1] : others(first)[0]!] : null)}
      />
      {pair && <Select label="Against" value={pair[1]} choices={named(others(pair[0]))} onChange={(second) => onChange([pair[0], second])} />}
    </>
  );
}
