import { useEffect, useRef, useState } from "preact/hooks";
import { DataTable } from "../ui/DataTable";
import { Num } from "../ui/Num";
import { Select } from "../ui/fields";
import { percentText } from "../ui/format";
import type { MatrixProps } from "./Matrices";
import { fullness, largest, shownValues } from "./shade";

const MOVES: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIZE = 480;

// Very many classes: a picture to point at, the largest confusions as a list, any cell by its names.
export function HeatMap({ entry, shares, picked, onPick, weighted }: MatrixProps) {
  const [at, setAt] = useState<[number, number]>(() => first(entry));
  const [i, j] = [Math.min(at[0], entry.classes.length - 1), Math.min(at[1], entry.classes.length - 1)];
  const { classes } = entry;
  const pick = (row: number, column: number) => onPick?.({ model: entry.model, actual: classes[row]!, predicted: classes[column]! });
  const go = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move) {
      const clamp = (place: number) => Math.min(classes.length - 1, Math.max(0, place));
      setAt([clamp(i + move[0]), clamp(j + move[1])]);
    } else if (event.key === "Enter" || event.key === " ") pick(i, j);
    else return;
    event.preventDefault();
  };
  return (
    <div class="heat">
      <div class="heat-map" role="group" aria-label={`Heat map of ${classes.length} classes; arrow keys move, Enter lists the rows`} tabIndex={0} onKeyDown={go}>
        <span class="heat-axis">Predicted →</span>
        <Painted entry={entry} at={[i, j]} picked={picked} onAt={(row, column) => setAt([row, column])} onPick={pick} />
        <span class="heat-axis">Actual ↓, top to bottom; blue is right, orange is wrong</span>
      </div>
      <div class="heat-side">
        <p class="heat-told" aria-live="polite">
          Actual <strong>{classes[i]}</strong>, predicted <strong>{classes[j]}</strong>: <Num value={entry.matrix[i]![j]!} name="cell" />
          {shares !== "none" && ` (${percentText(nothing(entry.shares?.[i]![j]!))})`}
        </p>
        <div class="controls">
          <Select label="Actual class" value={String(i)} choices={classes.map((name, place) => ({ value: String(place), label: name }))} onChange={(value) => setAt([Number(value), j])} />
          <Select label="Predicted class" value={String(j)} choices={classes.map((name, place) => ({ value: String(place), label: name }))} onChange={(value) => setAt([i, Number(value)])} />
          {onPick && <button onClick={() => pick(i, j)}>List its rows</button>}
        </div>
        <DataTable
          caption="Most often confused"
          columns={[
            { title: "Actual", value: (one) => one.actual },
            { title: "Predicted", value: (one) => one.predicted },
            { title: weighted ? "Weight" : "Rows", value: (one) => one.count },
            { title: "Share of the actual class", value: (one) => percentText(one.share) },
            ...(onPick ? [{ title: "Look at them", value: (one: { actual: string; predicted: string }) => <button aria-label={`Rows of ${one.actual} predicted as ${one.predicted}`} onClick={() => onPick({ model: entry.model, actual: one.actual, predicted: one.predicted })}>Rows</button> }] : []),
          ]}
          rows={entry.confused}
        />
      </div>
    </div>
  );
}

// The largest confusion, if there is one.
function first({ classes, confused }: MatrixProps["entry"]): [number, number] {
  const [most] = confused;
  return most ? [classes.indexOf(most.actual), classes.indexOf(most.predicted)] : [0, 0];
}

const nothing = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value);

function Painted({ entry, at, picked, onAt, onPick }: { entry: MatrixProps["entry"]; at: [number, number]; picked: MatrixProps["picked"]; onAt: (row: number, column: number) => void; onPick: (row: number, column: number) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { classes } = entry;
  const theme = useTheme(canvas);
  useEffect(() => draw(canvas.current!, entry, at, picked), [entry, at[0], at[1], picked, theme]);
  const place = (event: MouseEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    const cell = (from: number, size: number) => Math.min(classes.length - 1, Math.max(0, Math.floor((from / size) * classes.length)));
    return [cell(event.clientY - box.top, box.height), cell(event.clientX - box.left, box.width)];
  };
  return (
    <canvas
      ref={canvas}
      width={SIZE * 2}
      height={SIZE * 2}
      onPointerMove={(event) => onAt(...place(event))}
      onClick={(event) => {
        onAt(...place(event));
        onPick(...place(event));
      }}
    />
  );
}

// Colours on a canvas do not follow the theme by themselves.
function useTheme(canvas: { current: HTMLCanvasElement | null }): string {
  const [theme, setTheme] = useState("");
  useEffect(() => {
    const root = canvas.current?.closest(".plumbline");
    if (!root) return undefined;
    const look = () => setTheme(root.getAttribute("data-theme") ?? "");
    look();
    const watch = new MutationObserver(look);
    watch.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, []);
  return theme;
}

function draw(canvas: HTMLCanvasElement, entry: MatrixProps["entry"], at: [number, number], picked: MatrixProps["picked"]): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const values = shownValues(entry);
  const most = largest(values);
  const { classes } = entry;
  const side = (SIZE * 2) / classes.length;
  context.globalAlpha = 1;
  context.fillStyle = colour("--soft");
  context.fillRect(0, 0, SIZE * 2, SIZE * 2);
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      const full = fullness(value, i === j, most);
      if (full === 0 && i !== j) return;
      context.globalAlpha = full === 0 ? 0.08 : 0.15 + 0.85 * full;
      context.fillStyle = colour(i === j ? "--pl-point" : "--pl-gap");
      context.fillRect(j * side, i * side, Math.max(1, side), Math.max(1, side));
    }),
  );
  context.globalAlpha = 1;
  frame(context, at[0], at[1], side, colour("--ink"), 2);
  if (picked) frame(context, classes.indexOf(picked.actual), classes.indexOf(picked.predicted), side, colour("--accent"), 4);
}

function frame(context: CanvasRenderingContext2D, row: number, column: number, side: number, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(column * side, row * side, side, side);
}
