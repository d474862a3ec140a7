// Lists of what is chosen, and formulas made of values of attributes.
import type { About } from "../answers";

// The class that numbers of two classes are about; null of more, where none is the only one.
export const positiveOfTwo = (about: Pick<About, "k" | "positive">, target: string | null): string | null => (about.k === 2 ? (target ?? about.positive) : null);

// The choice with one name more or less; all of them is null.
export function switched(names: readonly string[], chosen: readonly string[] | null, name: string): string[] | null {
  const now = new Set(chosen ?? names);
  if (!now.delete(name)) now.add(name);
  const left = names.filter((one) => now.has(one));
  return left.length === names.length ? null : left;
}

export const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&")}"`;

const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;

// An attribute as a formula names it: in back-ticks unless it is known to be understood without.
export const named = (name: string, bare: ReadonlySet<string>): string => (bare.has(name) && PLAIN.test(name) ? name : `\`${name}\``);

export type Wanted =
  | { kind: "category"; values: readonly string[] }
  | { kind: "truth"; value: boolean }
  | { kind: "number"; low: number | null; high: number | null }
  | { kind: "date"; low: string; high: string }; // as 2024-01-31, or nothing

// The rows whose attribute is among some values, or within a range; null where nothing is asked.
export function clause(variable: string, wanted: Wanted): string | null {
  if (wanted.kind === "truth") return wanted.value ? variable : `not ${variable}`;
  if (wanted.kind === "category") {
    if (!wanted.values.length) return null;
    if (wanted.values.length === 1) return `${variable} == ${quoted(wanted.values[0]!)}`;
    return `${variable} in [${wanted.values.map(quoted).join(", ")}]`;
  }
  const [low, high] = wanted.kind === "date" ? [day(wanted.low), day(wanted.high)] : [wanted.low, wanted.high];
  if (low !== null && high !== null) return `${low} <= ${variable} <= ${high}`;
  if (low !== null) return `${variable} >= ${low}`;
  return high === null ? null : `${variable} <= ${high}`;
}

const day = (text: string): string | null => (text ? quoted(text) : null);

// Both conditions; what is there already keeps its meaning.
export function both(where: string, more: string): string {
  const known = where.trim();
  if (!known) return more;
  return `${/\b(or|if)\b/.test(known) ? `(${known})` : known} and ${more}`;
}
