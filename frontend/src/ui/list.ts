// Which line of a list the keys lead to; lines that cannot be taken are passed over.
export interface Choice {
  value: string | number;
  label: string;
  group?: string; // lines of one group stand together, under its name
  disabled?: boolean;
}

const PAGE = 10;

// The nearest line from `start` on in the direction of `by` that can be taken; `otherwise` where there is none.
function free(choices: readonly Choice[], start: number, by: 1 | -1, otherwise: number): number {
  for (let place = start; place >= 0 && place < choices.length; place += by) if (!choices[place]!.disabled) return place;
  return otherwise;
}

// Where a key leads from a line (-1: none); null for a key that does not move.
export function moved(choices: readonly Choice[], from: number, key: string): number | null {
  const last = choices.length - 1;
  switch (key) {
    case "ArrowDown":
      return free(choices, from + 1, 1, from);
    case "ArrowUp":
      return free(choices, from < 0 ? last : from - 1, -1, from);
    case "Home":
      return free(choices, 0, 1, from);
    case "End":
      return free(choices, last, -1, from);
    case "PageDown":
      return free(choices, Math.min(last, from + PAGE), 1, free(choices, last, -1, from));
    case "PageUp":
      return free(choices, Math.max(0, from - PAGE), -1, free(choices, 0, 1, from));
    default:
      return null;
  }
}

// The line that begins with what was typed, after the present one; one letter again and again goes from line to line.
export function sought(choices: readonly Choice[], from: number, typed: string): number {
  const same = [...typed].every((letter) => letter === typed[0]);
  const wanted = (same ? typed[0]! : typed).toLowerCase();
  const start = same ? from + 1 : Math.max(0, from);
  for (let passed = 0; passed < choices.length; passed += 1) {
    const place = (start + passed) % choices.length;
    const { label, disabled } = choices[place]!;
    if (!disabled && label.toLowerCase().startsWith(wanted)) return place;
  }
  return from;
}

// The lines whose name holds what was typed, those that begin with it first.
export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const part = typed.trim().toLowerCase();
  const found = choices.filter(({ label }) => label.toLowerCase().includes(part));
  const first = (choice: Choice): number => Number(!choice.label.toLowerCase().startsWith(part));
  return part === "" ? found : found.sort((a, b) => first(a) - first(b));
}
