import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { Chart } from "../chart/Chart";
import type { Mark } from "../chart/types";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { Legend } from "../ui/Presentation";
import type { DifferenceAnswer } from "./answers";
import { comparedModels, differenceQuestion, type Shown } from "./questions";

export function DifferenceControls({ shown }: { shown: Shown }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const question = differenceQuestion(shown, reading);
  const found = useAnswer<DifferenceAnswer>(question);
  const pair = comparedModels(shown, reading);
  if (pair === null) return <Hint>A comparison needs two models; choose a second one in the data panel.</Hint>;
  const same = pair[0] === pair[1];
  const { title } = shown.answer;
  const choices = shown.models.map((name) => ({ value: name, label: name }));
  return (
    <>
      <div class="row end controls">
        <Select label="Curve of" value={pair[1]} choices={choices} onChange={(name) => store.edit("reading", { difference: [pair[0], name] })} />
        <Select label="minus that of" value={pair[0]} choices={choices} onChange={(name) => store.edit("reading", { difference: [name, pair[1]] })} />
        {question && (
          <span class="tools">
            <PinButton question={question} title={`${title}: ${pair[1]} minus ${pair[0]}`} />
            <ExportMenu question={question} name={`${pair[1]} minus ${pair[0]}`} />
          </span>
        )}
      </div>
      {same ? (
        <Hint>Choose two different models.</Hint>
      ) : (
        <Answer of={found} what="Comparing the two curves">
          {(told) => <DifferenceFound difference={told} />}
        </Answer>
      )}
    </>
  );
}

export function DifferenceFound({ difference, compact = false }: { difference: DifferenceAnswer; compact?: boolean }) {
  const [first, second] = difference.models;
  const title = `${difference.title}: ${second} minus ${first}`;
  const zero: Mark = { kind: "rule", axis: "y", at: 0 };
  const places = difference.higher.map((run): Mark => ({ kind: "region", axis: "x", from: run.low, to: run.high, label: `${run.model} higher` }));
  return (
    <figure>
      <p class="verdict">{difference.presentation.summary}</p>
      <Chart
        label={title}
        series={[{ id: "difference", name: `${second} minus ${first}`, color: 0, x: difference.x, y: difference.difference, low: difference.low, high: difference.high, style: "line" }]}
        x={{ title: difference.x_title }}
        y={{ title: `difference of ${difference.y_title}` }}
        marks={[zero, ...places]}
        legend={false}
        {...(compact ? { table: false, height: 220 } : { height: 300 })}
      />
      <Legend presentation={difference.presentation} />
    </figure>
  );
}
