// What the readings add to the chart of the curve: the best threshold with all that is as good, the line
// of equal costs, and two handles around the cases.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CurveAnswer } from "../answers";
import { type Answered, useAnswer } from "../ask";
import type { ChartProps, Mark } from "../chart/types";
import { usePart, useStore } from "../store";
import { type Best, type IsoLine, type OptimumAnswer, type ReadingAnswer, type Stretch, thresholdNumber } from "./answers";
import { endsOf, isoQuestion, optimumQuestion, type Shown } from "./questions";
import { colorsOf } from "./Swatch";

interface Readings {
  marks: Mark[];
  between?: ChartProps["between"];
  usual: number | undefined; // the threshold that is read as long as none was chosen
  ends: boolean[] | null; // of every line, whether it is undefined below its lowest threshold
}

// An answer to what is asked now, and to nothing else.
export const freshOf = <Told>({ answer, stale, error }: Answered<Told>): Told | null => (stale || error !== null ? null : answer);

export function useReadingMarks(shown: Shown, read: Answered<ReadingAnswer>): Readings {
  const { answer } = shown;
  const reading = usePart((state) => state.reading);
  const best = freshOf(useAnswer<OptimumAnswer>(optimumQuestion(shown, reading)));
  const iso = freshOf(useAnswer<{ lines: IsoLine[] }>(isoQuestion(shown, reading), { delay: 80 }));
  const between = useHandles(shown);
  const told = freshOf(read);
  // A reading at any threshold tells where the lines of the curve end.
  const known = useRef<{ answer: CurveAnswer; ends: boolean[] } | null>(null);
  if (told !== null && told.lines.length === answer.lines.length && known.current?.answer !== answer) known.current = { answer, ends: told.lines.map((line) => line.ends) };
  const marks = [...(reading.optimum !== null && best ? bestMarks(best, answer) : []), ...(reading.iso_cost !== null && iso ? iso.lines.flatMap(isoMarks) : [])];
  return {
    marks,
    ...(between ? { between } : {}),
    usual: told === null ? undefined : (thresholdNumber(told.threshold) ?? undefined),
    ends: known.current?.answer === answer ? known.current.ends : null,
  };
}

// The two handles, while they are being dragged and where they were let go.
function useHandles(shown: Shown): ChartProps["between"] {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const held = endsOf(shown, reading);
  const [live, setLive] = useState<[number, number] | null>(null);
  const gestures = useRef(0);
  useEffect(() => setLive(null), [reading.between]);
  const ends = held && (live ?? held);
  if (ends === null) return undefined;
  const onMove = (low: number, high: number, done: boolean, again: boolean) => {
    setLive([low, high]);
    if (!again) gestures.current += 1;
    if (done && low < high) store.edit("reading", { between: [low, high], between_of: shown.unit }, `between ${gestures.current}`);
  };
  return { low: ends[0], high: ends[1], onMove };
}

// Whether x of a chart is what the rows are sorted by, so that thresholds are places on its axis.
export function alongThreshold({ settings }: CurveAnswer): boolean {
  const x = String(settings.x).trim();
  return x === "threshold" || x === String(settings.sort_by ?? "probability").trim();
}

// The best threshold of every model and all that are as good: a part of the axis where they are places
// on it; of several models a part of every line, in its colour, for names of all of them would crowd.
export function bestMarks({ y, results }: OptimumAnswer, answer: CurveAnswer): Mark[] {
  const several = results.length > 1;
  const measure = y.trim() === String(answer.settings.y).trim() ? "" : ` ${y.trim()}`;
  const colors = colorsOf(answer.lines);
  return results.flatMap((best) => {
    const color = several ? colors[answer.lines.findIndex((line) => line.model === best.model)] : undefined;
    const of = several && best.model !== null ? `: ${best.model}` : "";
    return marksOf(best, answer, { best: `best${measure}${of}`, good: several ? null : "as good", ...(color === undefined ? {} : { color }) });
  });
}

function marksOf({ point: { x, y }, stretches }: Best, answer: CurveAnswer, { best, good, color }: { best: string; good: string | null; color?: number }): Mark[] {
  const point: Mark[] = x === null || y === null || !Number.isFinite(x) ? [] : [{ kind: "point", x, y, label: best }];
  const [least, most] = thresholdRange(answer);
  const spans = stretches.map((one): [number, number] => [Math.max(least, thresholdNumber(one.low) ?? least), Math.min(most, thresholdNumber(one.high) ?? most)]);
  const longest = spans.reduce((place, [low, high], other) => (high - low > spans[place]![1] - spans[place]![0] ? other : place), 0);
  const named = (place: number) => ({ ...(place === longest && good !== null ? { label: good } : {}), ...(color === undefined ? {} : { color }) });
  const along = alongThreshold(answer) && color === undefined;
  const plateau = stretches.flatMap((one, place) => (along ? [{ kind: "region" as const, axis: "x" as const, from: spans[place]![0], to: spans[place]![1], ...named(place) }] : thick(one, { ...named(place), ...(answer.shape === "step" ? { step: true } : {}) })));
  return [...plateau, ...point];
}

const thick = ({ x, y }: Stretch, named: { label?: string; color?: number; step?: boolean }): Mark[] => (x.length ? [{ kind: "stretch", x, y, ...named }] : []);

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
