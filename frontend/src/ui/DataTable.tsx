import type { ComponentChildren } from "preact";
import { Num, PNum } from "./Num";

export interface Column<Row> {
  title: string;
  name?: string; // of its numbers, for machines
  p?: boolean; // p-values
  right?: boolean; // written numbers
  value: (row: Row) => ComponentChildren | number | null;
}

// A table to read and to copy: numbers right, text left, scrolled inside its own box.
export function DataTable<Row>({ caption, columns, rows, onPick }: { caption: string; columns: Column<Row>[]; rows: readonly Row[]; onPick?: (row: Row) => void }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{columns.map((column) => <th key={column.title} scope="col">{column.title}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place} {...(onPick ? { onClick: () => onPick(row), class: "pickable" } : {})}>
              {columns.map((column) => {
                const value = column.value(row);
                const Shown = column.p ? PNum : Num;
                return typeof value === "number" ? <td key={column.title} class="number"><Shown value={value} {...(column.name ? { name: column.name } : {})} /></td> : <td key={column.title} class={column.right ? "number" : undefined}>{value ?? "–"}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
