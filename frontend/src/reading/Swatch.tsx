// The colour of a line beside its name, as in the legend of the chart.
export const Swatch = ({ color }: { color: number }) => <span class="swatch" aria-hidden="true" style={{ background: `var(--pl-line${(color % 8) + 1})` }} />;

interface Named {
  model: string | null;
  fold: string | null;
  target: string | null;
}

// Lines of one model and class have one colour, whatever their fold, as on the chart.
export function colorsOf(lines: readonly Named[]): number[] {
  const keys = lines.map((line) => JSON.stringify([line.model, line.target]));
  const known = [...new Set(keys)];
  return keys.map((key) => known.indexOf(key));
}

export function nameOf(line: Named, several: boolean): string {
  const parts = [line.model, line.fold === null ? null : `fold ${line.fold}`, several ? line.target : null];
  return parts.filter((part) => part !== null).join(", ") || "all rows";
}

export const severalTargets = (lines: readonly Named[]): boolean => new Set(lines.map((line) => line.target)).size > 1;
