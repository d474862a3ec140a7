import type { About } from "../answers";
import { useAnswer } from "../ask";
import { unitOfQuestion } from "../cursor";
import { useVocabulary } from "../formula/vocabulary";
import type { Question } from "../host";
import type { OptimumAnswer } from "../reading/answers";
import { Bests } from "../reading/Optimum";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { NumberField, Select } from "../ui/fields";
import { PatienceRow, usePatience } from "../calibration/Patience";
import type { Payoffs as Values } from "./state";

const CELLS: [keyof Values, string][] = [
  ["TP", "True positive"],
  ["FP", "False positive"],
  ["FN", "False negative"],
  ["TN", "True negative"],
];
const DRAWS = 1000; // about how often the rows are drawn again for the best threshold

// What every decision pays, and the threshold at which that is most.
export function Payoffs({ about, question }: { about: About; question: Question }) {
  const store = useStore();
  const { payoffs, amount } = usePart((state) => state.overview);
  const columns = useVocabulary().payoffs.formulas.flatMap(({ column }) => (column === null ? [] : [column]));
  const { kind: _kind, hull: _hull, width: _width, ...of } = question;
  const { question: asked, want } = usePatience({ ...of, kind: "optimum", goal: "max" }, about.rows * DRAWS);
  const found = useAnswer<OptimumAnswer>(asked, { delay: 300 });
  return (
    <section class="block payoffs" aria-label="Payoffs">
      <h2>Payoffs</h2>
      <div class="cal-controls">
        {CELLS.map(([cell, label]) => (
          <NumberField key={cell} label={label} value={payoffs[cell]} onChange={(value) => value !== null && Number.isFinite(value) && store.edit("overview", { payoffs: { ...payoffs, [cell]: value } })} />
        ))}
        {columns.length > 0 && <Select label="Multiplied by" value={amount ?? ""} choices={[{ value: "", label: "1 (every row)" }, ...columns.map((name) => ({ value: name, label: name }))]} onChange={(name) => store.edit("overview", { amount: name || null })} />}
      </div>
      {want && <PatienceRow what="Find the best threshold" want={want} />}
      <Answer of={found} what="Looking for the best threshold">
        {(answer) => <Bests answer={answer} unit={unitOfQuestion(question)} question={found.stale ? null : asked} />}
      </Answer>
    </section>
  );
}
