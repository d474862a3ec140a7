import { Chart } from "../chart/Chart";
import type { Axis, Series } from "../chart/types";
import { Hint } from "../ui/Notice";
import type { CurveColumns, DiagramAxis, ErrorAnswer } from "./answers";
import { diagonalOf, sidesOf } from "./diagramAxes";

const MOST_CLASSES = 8;

export interface Overlay {
  name: string;
  x: Float64Array;
  y: Float64Array;
  muted?: boolean;
}

// Points as large as their weight, the range under calibration behind them, the counts below.
export function ReliabilityChart({ curve, label, overlays = [], compact = false, axis = "probability", beside = [] }: { curve: CurveColumns; label: string; overlays?: Overlay[]; compact?: boolean; axis?: DiagramAxis; beside?: CurveColumns[] }) {
  const sides = sidesOf([curve, ...beside], axis);
  const series: Series[] = [
    { id: "true", name: `${100 * curve.level} % range if calibrated`, color: 0, x: curve.mean_probability, y: curve.mean_probability, low: curve.band_low, high: curve.band_high, muted: true, dash: "dashed" },
    ...overlays.map((one, place): Series => ({ id: one.name, name: one.name, color: place + 1, x: one.x, y: one.y, style: "line", muted: one.muted ?? false })),
    { id: "observed", name: "observed in bins", color: 0, x: curve.mean_probability, y: curve.outcome_share, size: curve.weight, style: "line+points", dash: "solid" },
  ];
  return (
    <div class="cal-diagram">
      <Chart label={label} square column={!compact} series={series} marks={[diagonalOf(sides)]} x={{ title: capital(curve.x_title), ...sides.x }} y={{ title: capital(curve.y_title), ...sides.y }} table={!compact} />
      {!compact && <Counts curve={curve} label={label} side={sides.x} />}
    </div>
  );
}

// On the very axis of the diagram above it.
function Counts({ curve, label, side }: { curve: CurveColumns; label: string; side: Partial<Axis> }) {
  const series: Series[] = [{ id: "rows", name: "rows", color: 0, x: curve.lowest, x1: curve.highest, y: curve.count, style: "bars", muted: true }];
  return <Chart label={`${label}: rows in each bin`} column series={series} x={{ title: capital(curve.x_title), ...side }} y={{ title: "Rows", whole: true }} height={120} table={false} legend={false} />;
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
  const domain = around(series.flatMap((one) => [...one.x, ...one.y]));
  return (
    <div class="cal-diagram">
      <Chart label={label} square series={series} marks={[{ kind: "segment", x: domain, y: domain, dash: "dashed" }]} x={{ title: "Predicted probability", domain }} y={{ title: "Observed frequency", domain }} />
      {names.length > MOST_CLASSES && (
        <Hint>
          The first {MOST_CLASSES} of {names.length} classes are drawn; all count.
        </Hint>
      )}
    </div>
  );
}

// 0 to 1, or the part of it that shares of little spread need, from 0 or to 1 where that is near.
function around(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = high - low;
  if (!(spread > 0 && spread < 0.5)) return [0, 1];
  return [low <= spread ? 0 : low, 1 - high <= spread ? 1 : high];
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
