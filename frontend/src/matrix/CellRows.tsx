import { useEffect, useState } from "preact/hooks";
import type { About } from "../answers";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { Raw } from "../reading/Cases";
import { usePart } from "../store";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { numberText } from "../ui/format";
import { Hint } from "../ui/Notice";
import { useReveal } from "../ui/useReveal";
import type { CellAnswer } from "./answers";
import { cellQuestion } from "./questions";
import type { Place } from "./state";

const SHOWN = 200;

// The rows behind one cell, the most wrong first.
export function CellRows({ about, cell, threshold, close }: { about: About; cell: Place; threshold: number | null; close: () => void }) {
  const data = usePart((state) => state.data);
  const matrix = usePart((state) => state.matrix);
  const question = cellQuestion({ data, matrix }, about, threshold, cell);
  const found = useAnswer<CellAnswer>({ ...question, most: SHOWN }, { delay: 50 });
  const { ref, show } = useReveal();
  useEffect(show, [cell]);
  return (
    <section class="block cell-rows reveal" ref={ref} aria-label="Rows of a cell">
      <header>
        <h2>
          {`Actual ${cell.actual}, predicted ${cell.predicted}${cell.model === null ? "" : `, by ${cell.model}`}`}
        </h2>
        <div class="tools">
          {found.answer && !found.stale && <CopyButton answer={found.answer} />}
          <ExportMenu question={question} name="rows of this cell" />
          <button onClick={close}>Close</button>
        </div>
      </header>
      <Answer of={found} what="Finding the rows">
        {(answer) => <Rows answer={answer} />}
      </Answer>
    </section>
  );
}

function Rows({ answer }: { answer: CellAnswer }) {
  const { summary, legend } = answer.presentation;
  if (answer.count === 0) return <Hint>{summary}</Hint>;
  const places = Array.from({ length: answer.shown }, (_, place) => place);
  return (
    <>
      <p role="status">
        {[summary, ...legend].join(" ")}
        {answer.weight !== answer.count && ` Weight ${numberText(answer.weight)}.`}
        {answer.shown < answer.count && ` First ${answer.shown} shown.`}
      </p>
      <DataTable
        caption={`Rows answered by ${answer.decision}`}
        columns={answer.columns.map((column) => ({
          title: column.name,
          value: (place: number) => <Raw cell={column.values[place] ?? null} />,
        }))}
        rows={places}
      />
    </>
  );
}

// The rows that are shown, to be pasted into a sheet.
function CopyButton({ answer }: { answer: CellAnswer }) {
  const [told, setTold] = useState("Copy rows");
  useEffect(() => setTold("Copy rows"), [answer]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(asText(answer));
      setTold("Copied");
    } catch {
      setTold("The browser does not allow it");
    }
  };
  return (
    <button disabled={answer.shown === 0} onClick={() => void copy()}>
      {told}
    </button>
  );
}

// Tabs and ends of lines inside a value would break the lines, and a formula would run in a sheet.
const plain = (value: string | number | null | undefined): string => {
  if (typeof value === "number") return String(value);
  const text = (value ?? "").replace(/[\t\r\n]+/g, " ");
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
};

export function asText(answer: CellAnswer): string {
  const lines = [answer.columns.map((column) => plain(column.name)).join("\t")];
  for (let place = 0; place < answer.shown; place++) lines.push(answer.columns.map((column) => plain(column.values[place])).join("\t"));
  return lines.join("\n");
}
