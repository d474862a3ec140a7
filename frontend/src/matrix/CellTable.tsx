import { useRef, useState } from "preact/hooks";
import { Num } from "../ui/Num";
import { numberText, percentText } from "../ui/format";
import type { MatrixProps } from "./Matrices";
import { fullness, largest, paint, shownValues } from "./shade";

const MOVES: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// The matrix as a table of buttons: one of them in the tab order, arrow keys go to the others.
export function CellTable({ entry, shares, picked, onPick, weighted }: MatrixProps) {
  const [[i, j], setAt] = useState<[number, number]>([0, 0]);
  const body = useRef<HTMLTableSectionElement>(null);
  const { classes } = entry;
  const values = shownValues(entry);
  const most = largest(values);
  const go = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const last = classes.length - 1;
    const next: [number, number] = [Math.min(last, Math.max(0, i + move[0])), Math.min(last, Math.max(0, j + move[1]))];
    setAt(next);
    body.current?.querySelector<HTMLElement>(`[data-cell="${next[0]} ${next[1]}"]`)?.focus();
  };
  const counts = shares === "none";
  return (
    <div class="matrix-scroll">
      <table class="cells">
        <thead>
          <tr>
            <td class="corner" rowSpan={2}>
              <span>Actual</span>
            </td>
            <th scope="colgroup" colSpan={classes.length} class="over">Predicted</th>
            {counts && <td rowSpan={2} class="sum-head">{weighted ? "Weight" : "Sum"}</td>}
          </tr>
          <tr>
            {classes.map((name) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={go}>
          {classes.map((actual, row) => (
            <tr key={actual}>
              <th scope="row">{actual}</th>
              {classes.map((predicted, column) => {
                const value = values[row]![column]!;
                const count = entry.matrix[row]![column]!;
                const right = row === column;
                const chosen = picked?.actual === actual && picked.predicted === predicted;
                const text = counts ? <Num value={value} name="cell" /> : <data value={Number.isNaN(value) ? "" : String(value)}>{percentText(Number.isNaN(value) ? null : value)}</data>;
                return (
                  <td key={predicted} class={right ? "right" : "wrong"} style={{ background: paint(fullness(value, right, most), right) }}>
                    {onPick ? (
                      <button
                        data-cell={`${row} ${column}`}
                        tabIndex={row === i && column === j ? 0 : -1}
                        aria-pressed={chosen}
                        aria-label={`Actual ${actual}, predicted ${predicted}: ${numberText(count)}${counts ? "" : `, ${percentText(Number.isNaN(value) ? null : value)}`}`}
                        onFocus={() => setAt([row, column])}
                        onClick={() => onPick({ model: entry.model, actual, predicted })}
                      >
                        {text}
                      </button>
                    ) : (
                      <span class="cell">{text}</span>
                    )}
                  </td>
                );
              })}
              {counts && <td class="sum"><Num value={entry.sums.actual[row]!} /></td>}
            </tr>
          ))}
          {counts && (
            <tr>
              <th scope="row" class="sum">Sum</th>
              {classes.map((name, column) => <td key={name} class="sum"><Num value={entry.sums.predicted[column]!} /></td>)}
              <td class="sum"><Num value={entry.sums.all} /></td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
