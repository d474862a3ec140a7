import type { ColumnAbout } from "../host";
import { Listbox } from "../ui/Listbox";
import { type ClassRows, offered, type Part, type Parts, partWords } from "./roles";

interface Props {
  columns: readonly ColumnAbout[];
  parts: Parts;
  first: Parts; // what was read before anybody changed it
  classes: readonly ClassRows[];
  onChange: (column: string, part: Part) => void;
}

// One line a column: its name, what it means, its first values.
export function ColumnsTable({ columns, parts, first, classes, onChange }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Columns of the table">
      <table class="roles">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Meaning</th>
            <th scope="col">First values</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <Line key={column.name} column={column} part={parts[column.name] ?? "attribute"} first={first[column.name] ?? "attribute"} classes={classes} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  column: ColumnAbout;
  part: Part;
  first: Part;
  classes: readonly ClassRows[];
  onChange: (column: string, part: Part) => void;
}

function Line({ column, part, first, classes, onChange }: LineProps) {
  return (
    <tr class={part === "attribute" ? "attribute" : undefined}>
      <th scope="row">
        {column.name} <small>{column.type}</small>
      </th>
      <td>
        <Listbox label={`Meaning of ${column.name}`} value={part} choices={offered(column, [first, part], classes).map((value) => ({ value, label: partWords(value) }))} onChange={(value) => onChange(column.name, value)} />
      </td>
      <td class="values">{column.examples.map((text) => (text === "" ? "(empty)" : text)).join(", ")}</td>
    </tr>
  );
}
