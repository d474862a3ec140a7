// The axes of one or several reliability diagrams: what Python says of each, put together.
import type { Axis, Mark } from "../chart/types";
import type { CurveColumns, DiagramAxis } from "./answers";

type Sides = Record<"x" | "y", Pick<Axis, "scale" | "domain" | "ends">>;

export const axisOf = (question: Readonly<Record<string, unknown>>): DiagramAxis => (question["axis"] === "log-odds" ? "log-odds" : "probability");

// Axes that hold every curve.
export function sidesOf(curves: readonly CurveColumns[], axis: DiagramAxis): Sides {
  const side = (name: "x" | "y") => {
    const all = curves.map((curve) => curve.axes[axis][name]);
    const domain: [number, number] = [Math.min(...all.map((one) => one.domain[0])), Math.max(...all.map((one) => one.domain[1]))];
    const ends: [boolean, boolean] = [all.some((one) => one.ends[0]), all.some((one) => one.ends[1])];
    return axis === "log-odds" ? { scale: "logit" as const, domain, ends } : { domain };
  };
  return { x: side("x"), y: side("y") };
}

// Where a calibrated model lies, across all that both axes show.
export function diagonalOf({ x, y }: Sides): Mark {
  const ends: [number, number] = [Math.min(x.domain![0], y.domain![0]), Math.max(x.domain![1], y.domain![1])];
  return { kind: "segment", x: ends, y: ends, dash: "dashed" };
}
