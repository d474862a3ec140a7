// What the readings add to the chart of the curve: the best threshold with all that is as good, the line
// of equal costs, and two handles around the cases.
import { useEffect, useState } from "preact/hooks";
import type { CurveAnswer } from "../answers";
import { useAnswer } from "../ask";
import type { ChartProps, Mark } from "../chart/types";
import { usePart, useStore } from "../store";
import { type Best, type IsoLine, type OptimumAnswer, thresholdNumber } from "./answers";
import { isoQuestion, optimumQuestion, useSections } from "./questions";
import { pairOf } from "./state";

interface Readings {
  marks: Mark[];
  between?: ChartProps["between"];
}

export function useReadingMarks(answer: CurveAnswer): Readings {
  const of = useSections(answer);
  const reading = usePart((state) => state.reading);
  const best = useAnswer<OptimumAnswer>(optimumQuestion(of, reading));
  const iso = useAnswer<{ lines: IsoLine[] }>(isoQuestion(of, reading), { delay: 80 });
  const between = useHandles();
  const bests = reading.optimum !== null && !best.stale && best.error === null ? (best.answer?.results ?? []) : [];
  const costs = reading.iso_cost !== null && iso.error === null ? (iso.answer?.lines ?? []) : [];
  const marks = [...bests.flatMap((one) => marksOf(one, answer, bests.length > 1)), ...costs.flatMap(isoMarks)];
  return { marks, ...(between ? { between } : {}) };
}

// The two handles, while they are being dragged and where they were let go.
function useHandles(): ChartProps["between"] {
  const store = useStore();
  const held = usePart((state) => state.reading.between);
  const [live, setLive] = useState<[number, number] | null>(null);
  useEffect(() => setLive(null), [held]);
  const ends = live ?? pairOf<number>(held, "number");
  if (ends === null) return undefined;
  const onMove = (low: number, high: number, done: boolean) => {
    setLive([low, high]);
    if (done && low < high) store.edit("reading", { between: [low, high] }, "between");
  };
  return { low: ends[0], high: ends[1], onMove };
}

// Whether x of a chart is what the rows are sorted by, so that thresholds are places on its axis.
export function alongThreshold({ settings }: CurveAnswer): boolean {
  const x = String(settings.x).trim();
  return x === "threshold" || x === String(settings.sort_by ?? "probability").trim();
}

function marksOf(best: Best, answer: CurveAnswer, several: boolean): Mark[] {
  const { x, y } = best.point;
  const label = several && best.model !== null ? `best: ${best.model}` : "best";
  const point: Mark[] = x === null || y === null || !Number.isFinite(x) ? [] : [{ kind: "point", x, y, label }];
  if (!alongThreshold(answer)) return [...best.stretches.flatMap(thick), ...point];
  const [least, most] = thresholdRange(answer);
  const regions = best.stretches.map(
    (one): Mark => ({ kind: "region", axis: "x", from: Math.max(least, thresholdNumber(one.low) ?? least), to: Math.min(most, thresholdNumber(one.high) ?? most), ...(several ? {} : { label: "as good" }) }),
  );
  return [...regions, ...point];
}

function thick({ x, y }: { x: Float64Array; y: Float64Array }): Mark[] {
  const marks: Mark[] = [];
  for (let place = 1; place < x.length; place++) {
    marks.push({ kind: "segment", x: [x[place - 1]!, x[place]!], y: [y[place - 1]!, y[place]!], dash: "solid" });
  }
  return marks;
}

function isoMarks({ x, y, ends }: IsoLine): Mark[] {
  if (x === undefined || y === undefined || !ends) return [];
  return [
    { kind: "segment", x: [ends.x[0]!, ends.x[1]!], y: [ends.y[0]!, ends.y[1]!], label: "equal cost", dash: "dashed" },
    { kind: "point", x, y, label: "cheapest" },
  ];
}

// The least and the greatest finite threshold that is drawn.
export function thresholdRange(answer: CurveAnswer): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const line of answer.lines) {
    for (const value of line.threshold) {
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return least <= most ? [least, most] : [0, 1];
}
