import { useAnswer } from "../ask";
import type { View } from "../views";
import { Answer } from "./Answer";
import { DataTable } from "./DataTable";
import { Legend, type Presentation } from "./Presentation";

interface Presented {
  presentation: Presentation;
}

// What a result says of itself, as the terminal prints it: a kind of question without a view of its own.
export const ResultView: View = ({ question, compact }) => {
  const found = useAnswer<Presented>(question);
  return (
    <Answer of={found} what="Computing">
      {({ presentation }) => (
        <div class="stack">
          {presentation.summary && <p data-name="summary">{presentation.summary}</p>}
          <Details presentation={presentation} />
          {(presentation.tables ?? []).map((table, place) => <PlainTable key={place} table={table} subject={presentation.subject} />)}
          {!compact && <Legend presentation={presentation} />}
        </div>
      )}
    </Answer>
  );
};

// The number of groups of rows stands in the legend, as elsewhere.
function Details({ presentation }: { presentation: Presentation }) {
  const facts = presentation.details.filter(({ key }) => key !== "row_groups");
  if (!facts.length) return null;
  return (
    <dl class="facts">
      {facts.map(({ key, label, text }) => [<dt key={key}>{`${label.charAt(0).toUpperCase()}${label.slice(1)}`}</dt>, <dd key={`${key} value`}>{text}</dd>])}
    </dl>
  );
}

function PlainTable({ table, subject }: { table: NonNullable<Presentation["tables"]>[number]; subject: string }) {
  const names = Object.keys(table.columns);
  if (names.length === 1 && table.left.length === 1) return <pre tabIndex={0} aria-label={names[0]!}>{table.columns[names[0]!]!.join("\n")}</pre>; // a text
  const rows = (table.columns[names[0] ?? ""] ?? []).map((_, place) => place);
  return (
    <>
      <DataTable
        caption={table.title || subject || "Table"}
        rows={rows}
        columns={names.map((name) => ({ title: name, right: !table.left.includes(name), value: (place: number) => table.columns[name]![place] }))}
      />
      {table.more && <p class="hint">{table.more}</p>}
    </>
  );
}
