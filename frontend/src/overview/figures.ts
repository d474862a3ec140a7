// What the small charts of the overview are told.
import { capital } from "../calibration/ReliabilityChart";
import type { ErrorAnswer } from "../calibration/answers";
import type { Axis, ChartProps, Mark, Series } from "../chart/types";

const UNIT: [number, number] = [0, 1];
const DIAGONAL: Mark = { kind: "segment", x: UNIT, y: UNIT, dash: "dashed" };

type Figure = Pick<ChartProps, "label" | "series" | "x" | "y" | "square" | "marks">;

// Whether the probabilities of a diagram are those that thresholds are of: of the class that the curves detect.
export const ofTarget = (view: string, target: string): boolean => view === `one-vs-rest:${target}`;

// The bins of every model in its colour; of a single one with the range that is expected if calibrated.
// A threshold stands on the bins where these are of the class that it decides on.
export function reliabilityFigure(models: readonly ErrorAnswer[], target: string): Figure | null {
  const curves = models.flatMap((one, color) => (one.curve ? [{ name: one.model ?? "observed in bins", color, curve: one.curve }] : []));
  const first = curves[0]?.curve;
  if (first === undefined) return null;
  const linked = ofTarget(first.view, target);
  const band = curves.map(({ name, curve }): Series => ({
    id: `expected ${name}`,
    name: `${100 * curve.level} % range if calibrated${curves.length > 1 ? ` (${name})` : ""}`,
    color: 0,
    x: curve.mean_probability,
    y: curve.mean_probability,
    low: curve.band_low,
    high: curve.band_high,
    muted: true,
    dash: "dashed",
  }));
  const observed = curves.map(({ name, color, curve }): Series => ({
    id: name,
    name,
    color,
    x: curve.mean_probability,
    y: curve.outcome_share,
    ...(models.length > 1 ? {} : { size: curve.weight }),
    style: "line+points",
    ...(linked ? { threshold: curve.mean_probability } : {}),
  }));
  const axis = (title: string): Axis => ({ title: capital(title), domain: UNIT });
  return { label: "Reliability diagram", series: [...band, ...observed], x: axis(first.x_title), y: axis(first.y_title), square: true, marks: [DIAGONAL] };
}
