import { useMemo } from "preact/hooks";
import type { CurveAnswer } from "../answers";
import { ladderOf, rungAt } from "../chart/search";
import { useThreshold } from "../cursor";
import { DataTable } from "../ui/DataTable";
import { colorsOf, Swatch } from "./Swatch";

// Where every line stands at the threshold, from the drawn points, at every step of a drag.
export function Live({ answer, usual }: { answer: CurveAnswer; usual: number | null }) {
  const threshold = useThreshold() ?? usual;
  const ladders = useMemo(() => answer.lines.map((line) => ladderOf(line.threshold)), [answer]);
  const colors = useMemo(() => colorsOf(answer.lines), [answer]);
  if (threshold === null || ladders.every((ladder) => ladder.length === 0)) return null;
  const rows = answer.lines.map((line, place) => {
    const ladder = ladders[place]!;
    const rung = rungAt(line.threshold, ladder, threshold);
    const point = rung < 0 ? null : ladder[rung]!;
    return { name: line.name || "all rows", color: colors[place]!, x: point === null ? null : line.x[point]!, y: point === null ? null : line.y[point]! };
  });
  const names = answer.x_names;
  const alone = answer.y_title === answer.x_title;
  return (
    <DataTable
      caption={alone ? `On the curve: ${answer.x_title}` : `On the curve: x is ${answer.x_title}, y is ${answer.y_title}`}
      rows={rows}
      columns={[
        { title: "Line", value: (row) => <span class="named"><Swatch color={row.color} />{row.name}</span> },
        { title: "x", value: (row) => (names.length && row.x !== null ? (names[row.x] ?? null) : row.x) },
        ...(alone ? [] : [{ title: "y", value: (row: (typeof rows)[number]) => row.y }]),
      ]}
    />
  );
}
