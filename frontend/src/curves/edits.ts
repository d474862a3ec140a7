// How a choice in the panel changes the state; pure functions.
import type { PresetHelp, Vocabulary } from "../formula/vocabulary";
import { curveDefaults, type CurveState } from "./state";

export const presetOf = (vocabulary: Vocabulary, curve: CurveState): PresetHelp | null =>
  vocabulary.presets.find((preset) => preset.name === curve.preset) ?? null;

// A preset, as it is; `attribute` is what it is drawn against where it needs one.
export function withPreset(curve: CurveState, name: string, attribute: string | null): CurveState {
  return {
    ...curveDefaults,
    preset: name,
    x: attribute,
    band: curve.band === "bootstrap" ? "bootstrap" : "none",
    multiclass: curve.multiclass === "macro" ? null : curve.multiclass,
  };
}

// The formulas and settings of a preset, written into the boxes.
export function withFormulas(curve: CurveState, preset: PresetHelp, vocabulary: Vocabulary): CurveState {
  const x = curve.x === null ? null : (vocabulary.variables.find((one) => one.attribute && one.title === curve.x)?.name ?? curve.x);
  const unless = <Value>(normal: Value, value: Value): Value | null => (value === normal ? null : value);
  return {
    ...curve,
    preset: null,
    x: x ?? preset.x ?? "threshold",
    y: curve.y ?? preset.y,
    x_title: curve.x_title ?? (curve.x === null ? preset.x_title : null),
    y_title: curve.y_title ?? (curve.y === null ? preset.y_title : null),
    sort_by: curve.sort_by ?? preset.sort_by,
    direction: curve.direction ?? unless("descending", preset.direction),
    merge: curve.merge ?? unless("last", preset.merge),
    average: curve.average ?? unless("merge", preset.average),
  };
}

// Another formula of an axis; a title that was the preset's would no longer be true.
export function withFormula(axis: "x" | "y", text: string): Partial<CurveState> {
  return axis === "x" ? { x: text, x_title: null } : { y: text, y_title: null };
}

// A range for a slider around the value that a parameter has by default.
export function sliderRange(value: number, now: number): { low: number; high: number; step: number } {
  const share = value > 0 && value < 1;
  const size = Math.abs(value) || 1;
  let low = value < 0 ? 3 * value : 0;
  let high = share ? 1 : value < 0 ? 0 : niceAbove(4 * size);
  if (value < 0) low = -niceAbove(4 * size);
  if (value === 0) [low, high] = [-1, 1];
  low = Math.min(low, now);
  high = Math.max(high, now);
  return { low, high, step: 10 ** Math.floor(Math.log10((high - low) / 100)) };
}

// The least of 1, 2, 5, 10, ... that is not below a size.
function niceAbove(size: number): number {
  const unit = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((step) => step * unit).find((step) => step >= size * (1 - 1e-9)) ?? 10 * unit;
}
