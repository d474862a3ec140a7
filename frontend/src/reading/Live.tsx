import { useMemo } from "preact/hooks";
import type { Answered } from "../ask";
import { ladderOf, pointAt } from "../chart/search";
import { useThreshold } from "../cursor";
import { DataTable } from "../ui/DataTable";
import { timeText } from "../ui/format";
import { type ReadingAnswer, thresholdNumber } from "./answers";
import type { Shown } from "./questions";
import { colorsOf, Swatch } from "./Swatch";

type Spot = { x: number | null; y: number | null };

// Where every line stands at the threshold: exactly, once the answer is there, and until then, at every
// step of a drag, at the nearest of the drawn points.
export function Live({ shown, found }: { shown: Shown; found: Answered<ReadingAnswer> }) {
  const { answer, unit } = shown;
  const told = thresholdNumber(found.answer?.threshold);
  const threshold = useThreshold(unit) ?? told;
  const ladders = useMemo(() => answer.lines.map((line) => ladderOf(line.threshold)), [answer]);
  const colors = useMemo(() => colorsOf(answer.lines), [answer]);
  if (threshold === null || ladders.every((ladder) => ladder.length === 0)) return null;
  const exact = !found.stale && told === threshold && found.answer?.lines.length === answer.lines.length ? found.answer.lines : null;
  const rows = answer.lines.map((line, place) => {
    const spot: Spot = exact?.[place] ?? drawn(line, pointAt(line.threshold, ladders[place]!, threshold, line.ends));
    return { name: line.name || "all rows", color: colors[place]!, spot };
  });
  const names = answer.x_names;
  const alone = answer.y_title === answer.x_title;
  return (
    <DataTable
      caption={alone ? `On the curve: ${answer.x_title}` : `On the curve: x is ${answer.x_title}, y is ${answer.y_title}`}
      rows={rows}
      columns={[
        { title: "Line", value: (row) => <span class="named"><Swatch color={row.color} />{row.name}</span> },
        { title: "x", value: ({ spot }) => (names.length && spot.x !== null ? (names[spot.x] ?? null) : answer.dates?.[0] && spot.x !== null ? timeText(spot.x) : spot.x) },
        ...(alone ? [] : [{ title: "y", value: ({ spot }: (typeof rows)[number]) => spot.y }]),
      ]}
    />
  );
}

const drawn = ({ x, y }: { x: Float64Array; y: Float64Array }, place: number): Spot => (place < 0 ? { x: null, y: null } : { x: x[place]!, y: y[place]! });
