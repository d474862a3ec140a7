import { Chart } from "../chart/Chart";
import type { Series } from "../chart/types";
import { Hint } from "../ui/Notice";
import type { CurveColumns, ErrorAnswer } from "./answers";

const UNIT: [number, number] = [0, 1];
const DIAGONAL = { kind: "segment", x: UNIT, y: UNIT, dash: "dashed" } as const;
const MOST_CLASSES = 8;

export interface Overlay {
  name: string;
  x: Float64Array;
  y: Float64Array;
  muted?: boolean;
}

// Points as large as their weight, the range under calibration behind them, the counts below.
export function ReliabilityChart({ curve, label, overlays = [], compact = false }: { curve: CurveColumns; label: string; overlays?: Overlay[]; compact?: boolean }) {
  const series: Series[] = [
    { id: "true", name: `${100 * curve.level} % range if calibrated`, color: 0, x: curve.mean_probability, y: curve.mean_probability, low: curve.band_low, high: curve.band_high, muted: true, dash: "dashed" },
    ...overlays.map((one, place): Series => ({ id: one.name, name: one.name, color: place + 1, x: one.x, y: one.y, style: "line", muted: one.muted ?? false })),
    { id: "observed", name: "observed in bins", color: 0, x: curve.mean_probability, y: curve.outcome_share, size: curve.weight, style: "line+points", dash: "solid" },
  ];
  return (
    <div class="cal-diagram">
      <Chart label={label} square series={series} marks={[DIAGONAL]} x={{ title: capital(curve.x_title), domain: UNIT }} y={{ title: capital(curve.y_title), domain: UNIT }} table={!compact} />
      {!compact && <Counts curve={curve} label={label} />}
    </div>
  );
}

function Counts({ curve, label }: { curve: CurveColumns; label: string }) {
  const series: Series[] = [{ id: "rows", name: "rows", color: 0, x: curve.lo, x1: curve.hi, y: curve.count, style: "bars", muted: true }];
  return <Chart label={`${label}: rows in each bin`} series={series} x={{ title: capital(curve.x_title), domain: UNIT }} y={{ title: "Rows" }} height={120} table={false} legend={false} />;
}

// The bins of views without a band: a line a class, as far as there are colours.
export function BareBins({ found, label }: { found: ErrorAnswer; label: string }) {
  const rows = found.bins ?? [];
  if (!rows.length || rows.length === found.n) return null;
  const names = [...new Set(rows.map((row) => row.class ?? ""))];
  const series = names.slice(0, MOST_CLASSES).map((name, place): Series => {
    const own = rows.filter((row) => (row.class ?? "") === name);
    const column = (pick: (row: (typeof own)[number]) => number) => Float64Array.from(own, pick);
    return { id: name || "bins", name: name || "observed in bins", color: place, x: column((row) => row.mean_probability), y: column((row) => row.outcome_share), size: column((row) => row.weight), style: "line+points" };
  });
  return (
    <div class="cal-diagram">
      <Chart label={label} square series={series} marks={[DIAGONAL]} x={{ title: "Predicted probability", domain: UNIT }} y={{ title: "Observed frequency", domain: UNIT }} />
      {names.length > MOST_CLASSES && (
        <Hint>
          The first {MOST_CLASSES} of {names.length} classes are drawn; all count.
        </Hint>
      )}
    </div>
  );
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
