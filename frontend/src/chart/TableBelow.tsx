import { useMemo, useState } from "preact/hooks";
import { DataTable } from "../ui/DataTable";
import { counted } from "../ui/format";
import { columnsOf, MOST_ROWS, rowsOf, tabSeparated } from "./describe";
import type { Axis, Series } from "./types";
import { Disclosure } from "../ui/Disclosure";

interface Shown {
  label: string;
  series: readonly Series[];
  x: Axis;
  y: Axis;
  right?: Axis | undefined;
}

// The drawn points as a table, made when it is opened.
export function TableBelow(props: Shown) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure class="chart-table" title="Show as table" onToggle={setOpen}>
      {open && <Rows {...props} />}
    </Disclosure>
  );
}

function Rows({ label, ...shown }: Shown) {
  const [said, setSaid] = useState("");
  const { rows, total } = useMemo(() => rowsOf(shown.series), [shown.series]);
  const columns = columnsOf(shown);
  const copy = async () => {
    const text = tabSeparated(columns, rowsOf(shown.series, Infinity).rows);
    try {
      await navigator.clipboard.writeText(text);
      setSaid(`Copied ${counted(total, "point")}.`);
    } catch {
      setSaid("The browser does not allow copying here.");
    }
  };
  const count = total > MOST_ROWS ? `${MOST_ROWS} of ${counted(total, "drawn point")}, evenly spread` : counted(total, "drawn point");
  return (
    <>
      <p class="chart-copy">
        <button type="button" onClick={() => void copy()}>
          Copy as tab-separated text
        </button>{" "}
        <span role="status">{said}</span>
      </p>
      <DataTable caption={`${label}: ${count}`} columns={columns} rows={rows} />
    </>
  );
}
