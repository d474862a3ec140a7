import { useAnswer } from "../ask";
import { type Unit, useCursor } from "../cursor";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { NumberField } from "../ui/fields";
import { Legend } from "../ui/Presentation";
import { type IsoLine, thresholdNumber } from "./answers";
import { isoQuestion, type Shown } from "./questions";
import { nameOf, severalTargets } from "./Swatch";

// What a false alarm and a miss cost, and where that costs least on a ROC curve.
export function IsoCost({ shown }: { shown: Shown }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const found = useAnswer<{ lines: IsoLine[] }>(isoQuestion(shown, reading), { delay: 80 });
  const costs = reading.iso_cost ?? { fp: 1, fn: 1 };
  const set = (patch: Partial<typeof costs>) => store.edit("reading", { iso_cost: { ...costs, ...patch } });
  return (
    <>
      <div class="pair">
        <NumberField label="A false positive costs" value={costs.fp} min={0} onChange={(fp) => set({ fp: fp ?? 0 })} />
        <NumberField label="A false negative costs" value={costs.fn} min={0} onChange={(fn) => set({ fn: fn ?? 0 })} />
      </div>
      <Answer of={found} what="Computing the costs">
        {(told) => <Costs lines={told.lines} unit={shown.unit} />}
      </Answer>
    </>
  );
}

export function Costs({ lines, unit }: { lines: IsoLine[]; unit: Unit }) {
  const cursor = useCursor();
  const several = severalTargets(lines);
  const [first] = lines;
  return (
    <>
    <DataTable
      caption="The cheapest point of every line"
      rows={lines}
      columns={[
        { title: "Line", value: (line) => nameOf(line, several) },
        { title: "Cost per row", value: (line) => line.cost ?? line.reason },
        {
          title: "Threshold",
          value: (line) => {
            const threshold = thresholdNumber(line.threshold);
            return threshold === null ? null : (
              <button class="link" onClick={() => cursor.move(threshold, true, { unit })}>
                {Number.isFinite(threshold) ? threshold.toPrecision(4) : "∞"}
                <span class="visually-hidden"> as the threshold, the cheapest of {nameOf(line, several)}</span>
              </button>
            );
          },
        },
      ]}
    />
    {first && <Legend presentation={first.presentation} />}
    </>
  );
}
