import { useState } from "preact/hooks";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { NumberField, Select } from "../ui/fields";
import { counted, dayText, numberText, percentText } from "../ui/format";
import { Num } from "../ui/Num";
import type { CasesAnswer, Differing } from "./answers";
import { caseModel, casesQuestion, endsOf, type Shown } from "./questions";

const SURE = 0.05; // adjusted p-values below stand out

export function CasesControls({ shown }: { shown: Shown }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const { models } = shown;
  const question = casesQuestion(shown, reading);
  const found = useAnswer<CasesAnswer>(question, { delay: 80 });
  const ends = endsOf(shown, reading);
  const set = (low: number | null, high: number | null) => {
    if (low !== null && high !== null) store.edit("reading", { between: low <= high ? [low, high] : [high, low], between_of: shown.unit });
  };
  return (
    <>
      <div class="row end controls">
        <NumberField label="From" value={ends?.[0] ?? null} onChange={(low) => set(low, ends?.[1] ?? null)} />
        <NumberField label="to below" value={ends?.[1] ?? null} onChange={(high) => set(ends?.[0] ?? null, high)} />
        {models.length > 1 && (
          <Select label="Cases of" value={caseModel(shown, reading)!} choices={models.map((name) => ({ value: name, label: name }))} onChange={(name) => store.edit("reading", { cases_of: name })} />
        )}
        {question && (
          <span class="tools">
            <PinButton question={question} title="Cases between two thresholds" />
            <ExportMenu question={question} name="cases" />
          </span>
        )}
      </div>
      <Answer of={found} what="Finding the cases">
        {(told) => <CasesFound cases={told} />}
      </Answer>
    </>
  );
}

export function CasesFound({ cases, compact = false }: { cases: CasesAnswer; compact?: boolean }) {
  const { summary } = cases.presentation;
  if (!cases.n) return <p class="empty">{summary}</p>;
  return (
    <>
      <p>
        <data value={String(cases.n)} data-name="cases">{cases.model === null ? "" : `${cases.model}: `}{summary}</data>
      </p>
      <ByClass cases={cases} />
      {!compact && cases.differing.length > 0 && <Differs differing={cases.differing} />}
      {!compact && <Rows cases={cases} />}
    </>
  );
}

function ByClass({ cases }: { cases: CasesAnswer }) {
  const names = Object.keys(cases.rows_inside).filter((name) => cases.rows_inside[name]! + cases.rows_outside[name]! > 0);
  return (
    <DataTable
      caption="Rows by their true class"
      rows={names}
      columns={[
        { title: "Class", value: (name) => name },
        { title: "Between", name: "rows inside", value: (name) => cases.rows_inside[name]! },
        { title: "Elsewhere", name: "rows outside", value: (name) => cases.rows_outside[name]! },
        ...(cases.weighted
          ? [
              { title: "Weight between", value: (name: string) => cases.inside[name]! },
              { title: "Weight elsewhere", value: (name: string) => cases.outside[name]! },
            ]
          : []),
      ]}
    />
  );
}

function Differs({ differing }: { differing: Differing[] }) {
  const side = (row: Differing, value: number | null) => (value === null ? null : row.kind === "category" ? percentText(value) : row.date ? dayText(value) : value);
  return (
    <DataTable
      caption="How these rows differ"
      rows={differing}
      columns={[
        { title: "Attribute", value: (row) => (row.kind === "category" && row.value !== null ? `${row.attribute} = ${row.value}` : row.attribute) },
        { title: "Between", value: (row) => side(row, row.inside) },
        { title: "Elsewhere", value: (row) => side(row, row.outside) },
        { title: "Effect", value: (row) => row.effect },
        { title: "Adjusted p", value: (row) => (row.p_adjusted === null ? row.reason : row.p_adjusted < SURE ? <strong><Num value={row.p_adjusted} digits={2} /></strong> : <Num value={row.p_adjusted} digits={2} />) },
      ]}
    />
  );
}

function Rows({ cases }: { cases: CasesAnswer }) {
  const [told, tell] = useState("");
  const copy = async () => {
    const lines = [cases.columns, ...cases.cases.map((row) => cases.columns.map((name) => row[name]))];
    try {
      await navigator.clipboard.writeText(lines.map((line) => line.map((cell) => String(cell ?? "").replace(/[\t\n\r]+/g, " ")).join("\t")).join("\n"));
      tell(`Copied ${counted(cases.listed, "row")}.`);
    } catch {
      tell("The browser does not allow copying here; export them as CSV instead.");
    }
  };
  return (
    <div class="stack">
      <DataTable
        caption={cases.listed < cases.n ? `The first ${numberText(cases.listed)} of ${counted(cases.n, "row")}, the highest first` : `All ${counted(cases.n, "row")}, the highest first`}
        rows={cases.cases}
        columns={cases.columns.map((name) => ({
          title: name,
          value: (row: CasesAnswer["cases"][number]) => <Raw cell={row[name] ?? null} />,
        }))}
      />
      <div class="tools">
        <button onClick={() => void copy()}>Copy the rows</button>
        <span class="hint" role="status">
          {told}
        </span>
      </div>
    </div>
  );
}

// A value as the table has it: whole numbers may be names, so nothing parts their digits.
export function Raw({ cell }: { cell: string | number | boolean | null }) {
  if (typeof cell !== "number") return <>{cell === null ? "–" : String(cell)}</>;
  if (!Number.isInteger(cell)) return <span class="raw"><Num value={cell} /></span>;
  return (
    <span class="raw">
      <data value={String(cell)}>{String(cell)}</data>
    </span>
  );
}
