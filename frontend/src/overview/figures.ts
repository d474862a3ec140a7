// What the small charts of the overview are told.
import { capital } from "../calibration/ReliabilityChart";
import type { DiagramAxis, ErrorAnswer } from "../calibration/answers";
import { diagonalOf, sidesOf } from "../calibration/diagramAxes";
import type { ChartProps, Series } from "../chart/types";

type Figure = Pick<ChartProps, "label" | "series" | "x" | "y" | "square" | "marks">;

// Whether the probabilities of a diagram are those that thresholds are of: of the class that the curves detect.
export const ofTarget = (view: string, target: string): boolean => view === `one-vs-rest:${target}`;

// The bins of every model in its colour, with the range that is expected if calibrated in the same one.
// A threshold stands on the bins where these are of the class that it decides on.
export function reliabilityFigure(models: readonly ErrorAnswer[], target: string | null, on: DiagramAxis = "probability"): Figure | null {
  const curves = models.flatMap((one, color) => (one.curve ? [{ name: one.model ?? "observed in bins", color, curve: one.curve }] : []));
  const first = curves[0]?.curve;
  if (first === undefined) return null;
  const linked = target !== null && ofTarget(first.view, target);
  const sides = sidesOf(curves.map((one) => one.curve), on);
  const band = curves.map(({ name, color, curve }): Series => ({
    id: `expected ${name}`,
    name: `${100 * curve.level} % range if calibrated${curves.length > 1 ? ` (${name})` : ""}`,
    color,
    x: curve.mean_probability,
    y: curve.mean_probability,
    low: curve.band_low,
    high: curve.band_high,
    muted: true,
    ...(curves.length > 1 ? { tint: true } : {}),
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
  return { label: "Reliability diagram", series: [...band, ...observed], x: { title: capital(first.x_title), ...sides.x }, y: { title: capital(first.y_title), ...sides.y }, square: true, marks: [diagonalOf(sides)] };
}
