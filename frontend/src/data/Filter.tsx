import { useState } from "preact/hooks";
import type { About } from "../answers";
import { useAnswer } from "../ask";
import { FormulaBox } from "../formula/FormulaBox";
import { dataSection } from "../questions";
import { usePart, useStore } from "../store";
import { counted, dayText, numberText, unitOf } from "../ui/format";
import { Notice } from "../ui/Notice";
import { named, quoted } from "./choosing";
import { QuickFilter } from "./QuickFilter";

interface RowsAnswer {
  table: number;
  chosen: number;
  kept: number;
  effective_n: number;
  positive: string;
  positives: number;
  groups: number | null;
}

// The rows to keep, as a formula, and how many examples that leaves.
export function Filter({ about }: { about: About }) {
  const store = useStore();
  const where = usePart((state) => state.data.where);
  const [unread, setUnread] = useState<string | null>(null);
  return (
    <section class="filter" aria-label="Filter">
      <FormulaBox label="Keep only rows where" part="where" value={where} onChange={(text) => store.edit("data", { where: text }, "where")} onUnread={setUnread} placeholder={placeholder(about)} />
      {unread !== null && unread !== where && <p class="hint" role="status">{where.trim() ? `The filter cannot be read; showing the last valid one: ${where}` : "The filter cannot be read; showing all rows."}</p>}
      <Count unit={unitOf(about)} />
      {where.trim() !== "" && (
        <button type="button" class="link" onClick={() => store.edit("data", { where: "" })}>
          Clear the filter
        </button>
      )}
      {about.attributes.length > 0 && <QuickFilter attributes={about.attributes} />}
    </section>
  );
}

function Count({ unit }: { unit: string }) {
  const data = usePart((state) => state.data);
  const rows = useAnswer<RowsAnswer>({ kind: "rows", data: dataSection(data) }, { delay: 100 });
  if (rows.error) return rows.error.kind === "cancelled" ? null : <Notice failure={rows.error} />;
  if (rows.answer === null) return <p class="hint">Counting rows …</p>;
  const { table, kept, effective_n, positive, positives, groups } = rows.answer;
  return (
    <p class={rows.stale ? "hint count stale" : "hint count"} aria-live="polite">
      {kept === table ? `All ${counted(table, unit)}` : `${numberText(kept)} of ${counted(table, unit)}`}
      {`, ${numberText(positives)} of them “${positive}”`}
      {groups !== null && `, in ${counted(groups, "group")}`}
      {Math.abs(effective_n - kept) > 1e-9 * kept && `; effective number of ${unit}s ${numberText(effective_n)}`}
    </p>
  );
}

// A filter that could be written as it stands.
const placeholder = ({ attributes }: About): string => {
  const first = attributes[0];
  if (first === undefined) return "probability > 0.5";
  const low = first.low ?? 0;
  const value = { number: String(low), date: quoted(first.kind === "date" ? dayText(low) : ""), truth: null, category: null }[first.kind];
  return value === null ? "" : `${named(first.name, new Set([first.name]))} > ${value}`;
};
