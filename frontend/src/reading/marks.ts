// What the readings add to the chart of the curve: the best threshold with all that is as good, the line
// of equal costs, and two handles around the cases.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CurveAnswer } from "../answers";
import { type Answered, useAnswer } from "../ask";
import type { Brush, ChartProps, Mark } from "../chart/types";
import { useCursor } from "../cursor";
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
  const marks = [...(reading.optimum !== null && best ? bestMarks(best, answer) : []), ...(reading.iso_cost !== null && iso ? isoMarks(iso.lines) : [])];
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

// A range selected on the curve is what the cases lie between.
export function useCasesBrush(shown: Shown): Brush {
  const store = useStore();
  const cursor = useCursor();
  const reading = usePart((state) => state.reading);
  return {
    label: "Select rows between two thresholds",
    range: endsOf(shown, reading),
    usual: () => around(shown.answer, cursor.at(shown.unit)),
    onRange: (range) => store.edit("reading", range && range[0] < range[1] ? { between: range, between_of: shown.unit } : { between: null, between_of: null }),
  };
}

const WIDTH = 0.1; // of the way from the least to the greatest threshold: the first distance of the cursors

// Two cursors around the threshold that is set, within the thresholds there are.
export function around(answer: CurveAnswer, threshold: number | null): [number, number] {
  const [least, most] = thresholdRange(answer);
  const half = ((most - least) * WIDTH) / 2;
  const usual = least <= 0.5 && most >= 0.5 && most <= 1 ? 0.5 : (least + most) / 2;
  const middle = Math.min(most - half, Math.max(least + half, threshold ?? usual));
  const rounded = (value: number) => Number(value.toPrecision(3));
  return [rounded(middle - half), rounded(middle + half)];
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
  const plateaus = results.flatMap((best) => plateauOf(best, answer, several ? colors[answer.lines.findIndex((line) => line.model === best.model)] : undefined));
  const points = results.map(({ model, point }) => ({ model, x: point.x, y: point.y }));
  return [...plateaus, ...namedPoints(`best${measure}`, points)];
}

function plateauOf({ stretches }: Best, answer: CurveAnswer, color: number | undefined): Mark[] {
  if (color !== undefined) return stretches.flatMap((one) => thick(one, { color, ...(answer.shape === "step" ? { step: true } : {}) }));
  const [least, most] = thresholdRange(answer);
  const spans = stretches.map((one): [number, number] => [Math.max(least, thresholdNumber(one.low) ?? least), Math.min(most, thresholdNumber(one.high) ?? most)]);
  const longest = spans.reduce((place, [low, high], other) => (high - low > spans[place]![1] - spans[place]![0] ? other : place), 0);
  return stretches.flatMap((one, place): Mark[] => {
    const named = place === longest ? { label: "as good" } : {};
    if (alongThreshold(answer)) return [{ kind: "region", axis: "x", from: spans[place]![0], to: spans[place]![1], ...named }];
    return thick(one, { ...named, ...(answer.shape === "step" ? { step: true } : {}) });
  });
}

interface Place {
  model: string | null;
  x?: number | null;
  y?: number | null;
}

// Points that have a place, by what they are and, of several, by their models: one name at one place.
function namedPoints(what: string, points: Place[]): Mark[] {
  const found = new Map<string, { x: number; y: number; models: string[] }>();
  for (const { model, x, y } of points) {
    if (x === null || x === undefined || y === null || y === undefined || !Number.isFinite(x)) continue;
    const at = found.get(`${x} ${y}`) ?? { x, y, models: [] };
    if (model !== null) at.models.push(model);
    found.set(`${x} ${y}`, at);
  }
  return [...found.values()].map(({ x, y, models }) => ({ kind: "point", x, y, label: points.length > 1 && models.length ? `${what}: ${models.join(", ")}` : what }));
}

const thick = ({ x, y }: Stretch, named: { label?: string; color?: number; step?: boolean }): Mark[] => (x.length ? [{ kind: "stretch", x, y, ...named }] : []);

// The lines of equal cost are named once, the cheapest points by their models.
function isoMarks(lines: IsoLine[]): Mark[] {
  const segments = lines.flatMap(({ ends }, place): Mark[] => (ends ? [{ kind: "segment", x: [ends.x[0]!, ends.x[1]!], y: [ends.y[0]!, ends.y[1]!], dash: "dashed", ...(place === 0 ? { label: "equal cost" } : {}) }] : []));
  return [...segments, ...namedPoints("cheapest", lines)];
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
