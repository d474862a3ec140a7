// What can be had together, in the words of CurveSettings: said beside a control before anything is
// asked. Pure functions of the state.
import type { About } from "../answers";
import type { PresetHelp } from "../formula/vocabulary";
import type { CurveState } from "./state";

export type Control = "average" | "band" | "multiclass" | "direction";
export type Refused = Record<string, string>; // a choice -> why it cannot be taken

export interface InForce {
  sort_by: string | null;
  direction: NonNullable<CurveState["direction"]>;
  merge: NonNullable<CurveState["merge"]>;
  average: NonNullable<CurveState["average"]>;
  fixed: boolean; // whether the averaging was chosen, here or by the preset
}

const APART = ["none", "vertical", "threshold"];
const AVERAGED = ["vertical", "threshold", "smooth"];
export const SMOOTHED_ROWS = 300_000; // from which on smoothing waits to be asked for

// What is in force where the panel leaves it open: the preset's, else the default; `drawn` is what
// the last answer settled on, which knows whether x is a category.
export function inForce(curve: CurveState, preset: PresetHelp | null, drawn?: Record<string, unknown>): InForce {
  const folds = curve.band === "folds" ? "vertical" : null;
  const settled = drawn as Partial<InForce> | undefined;
  const chosen = curve.average ?? unless("merge", preset?.average);
  const average = chosen ?? folds ?? settled?.average ?? "merge";
  return {
    sort_by: curve.sort_by ?? preset?.sort_by ?? null,
    direction: curve.direction ?? preset?.direction ?? "descending",
    average,
    fixed: chosen !== null,
    merge: curve.merge ?? unless("last", preset?.merge) ?? settled?.merge ?? (average === "smooth" ? "none" : "last"),
  };
}

// What a preset fixes: what it has that is not the default anyway.
const unless = <Value>(normal: Value, value: Value | undefined): Value | null => (value === undefined || value === normal ? null : value);

// Which choices of a control cannot be taken as the others stand.
export function refused(control: Control, curve: CurveState, set: InForce, about: About): Refused {
  const found: Refused = {};
  const rule = (choice: string, wrong: boolean, why: string) => {
    if (wrong && !(choice in found)) found[choice] = why;
  };
  if (control === "average") {
    for (const choice of APART) rule(choice, about.folds.length === 0, "the table has no folds");
  }
  if (control === "band") {
    rule("bootstrap", APART.includes(set.average), "it resamples the rows of one curve, but folds are separate: merge the folds");
    rule("folds", about.folds.length === 0, "the table has no folds");
    rule("folds", set.fixed && !["vertical", "threshold"].includes(set.average), "it is the spread of averaged folds: average them, vertically or by threshold");
    for (const choice of ["folds", "bootstrap"]) rule(choice, curve.multiclass === "macro", "the mean over the classes has no band");
  }
  if (control === "multiclass") {
    rule("macro", curve.band !== "none", "an average over classes has no band: turn the band off");
    rule("macro", AVERAGED.includes(set.average), "an average over classes needs merged folds");
  }
  if (control === "direction") {
    rule("unsorted", set.sort_by !== null, `the rows are sorted by ${set.sort_by}: empty that first`);
  }
  return found;
}

// Why the curve cannot be asked for as the panel stands: a control, and what is wrong with it.
export function problems(curve: CurveState, set: InForce, about: About): Partial<Record<Control, string>> {
  const chosen: Record<Control, string> = {
    average: set.average,
    band: curve.band,
    multiclass: curve.multiclass ?? "",
    direction: set.direction,
  };
  const found: Partial<Record<Control, string>> = {};
  for (const control of Object.keys(chosen) as Control[]) {
    const why = refused(control, curve, set, about)[chosen[control]];
    if (why) found[control] = why;
  }
  return found;
}

// Whether a curve is known to take long, so that it waits for a word.
export const heavy = (curve: CurveState, set: InForce, rows: number): boolean =>
  curve.band === "bootstrap" || (set.average === "smooth" && rows > SMOOTHED_ROWS);
