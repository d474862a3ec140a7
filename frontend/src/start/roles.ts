// What the columns of a table mean, as it is chosen: one part a column.
import type { ColumnAbout, Roles, Writing } from "../host";

// "actual", "prob:CLASS", "score:CLASS", the name of another part, or "attribute".
export type Part = string;
export type Parts = Record<string, Part>; // column -> part
export type ClassRows = { name: string; rows: number | null }; // rows are null where nobody counted

export const SINGLE = ["actual", "predicted", "score", "model", "fold", "repeat", "row", "weight"] as const;
const WORDS: Record<(typeof SINGLE)[number] | "attribute", string> = {
  actual: "True class",
  predicted: "Predicted class",
  score: "Score (a rating, no probability)",
  model: "Model",
  fold: "Fold",
  repeat: "Repeat",
  row: "Row (which example it is)",
  weight: "Weight",
  attribute: "Attribute",
};
const MOST_OFFERED = 30; // classes that every column is offered
const PROB = "prob:";

export function partWords(part: Part): string {
  if (part.startsWith(PROB)) return `P(${part.slice(PROB.length)})`;
  if (part.startsWith("score:")) return `Score of ${part.slice("score:".length)}`;
  return WORDS[part as keyof typeof WORDS] ?? part;
}

export function partsOf(columns: readonly ColumnAbout[], roles: Roles): Parts {
  return Object.fromEntries(columns.map((column) => [column.name, partOf(column, roles)]));
}

function partOf({ name, plays }: ColumnAbout, roles: Roles): Part {
  if (name === roles.actual) return "actual";
  if (Object.hasOwn(roles.prob, name)) return `${PROB}${roles.prob[name]}`;
  const renamed = Object.hasOwn(roles.rename, name) ? roles.rename[name]! : plays;
  if (renamed === null || renamed === undefined) return "attribute";
  if (renamed.startsWith("p:")) return `${PROB}${renamed.slice(2)}`;
  return isPart(renamed) ? renamed : "attribute";
}

const isPart = (name: string): boolean => (SINGLE as readonly string[]).includes(name) || name.startsWith("score:");

// The parts as the library takes them; a column whose own name would give it another part gets another name.
export function rolesOf(columns: readonly ColumnAbout[], parts: Parts, positive: string | null, normalize: boolean, writing: Writing): Roles {
  const roles: Roles = { actual: null, prob: {}, rename: {}, positive, normalize, ...writing };
  const taken = new Set(columns.map((column) => column.name));
  for (const { name, plays } of columns) {
    const part = parts[name] ?? "attribute";
    if (part === "actual") roles.actual = name;
    else if (part.startsWith(PROB) && isScore(plays)) roles.rename[name] = free(`p:${part.slice(PROB.length)}`, taken);
    else if (part.startsWith(PROB)) roles.prob[name] = part.slice(PROB.length);
    else if (part !== "attribute" && part !== name) roles.rename[name] = part;
    else if (part === "attribute" && plays !== null && plays !== "y_true" && plays !== "y_prob") roles.rename[name] = free(`${name}_`.replace(":", "_"), taken);
  }
  const renamed = Object.values(roles.rename).filter((name) => name.startsWith("p:"));
  for (const name of renamed) roles.prob[name] = name.slice(2);
  return roles;
}

const isScore = (plays: string | null): boolean => plays === "score" || (plays?.startsWith("score:") ?? false);

function free(name: string, taken: Set<string>): string {
  let found = name;
  while (taken.has(found)) found = `${found}_`;
  taken.add(found);
  return found;
}

// The classes: what occurs in the column of true classes, and what columns of probabilities are for.
export function classesOf(columns: readonly ColumnAbout[], parts: Parts): ClassRows[] {
  const truth = columns.find((column) => parts[column.name] === "actual");
  const known = truth?.values ?? null;
  const found = new Map<string, number | null>((known ?? []).filter(({ name }) => name !== "").map(({ name, rows }) => [name, rows]));
  for (const column of columns) {
    const part = parts[column.name] ?? "";
    const name = part.slice(PROB.length);
    if (part.startsWith(PROB) && !found.has(name)) found.set(name, known ? 0 : null);
  }
  return [...found].map(([name, rows]) => ({ name, rows }));
}

// What a column may be said to be.
export function offered(column: ColumnAbout, part: Part, classes: readonly ClassRows[]): Part[] {
  const few = classes.length <= MOST_OFFERED ? classes.map(({ name }) => `${PROB}${name}`) : [];
  const own = column.name.startsWith("p:") ? [`${PROB}${column.name.slice(2)}`] : [];
  const rated = column.name.startsWith("score:") ? [column.name] : [];
  return [...new Set(["attribute", "actual", ...few, ...own, ...SINGLE.slice(1), ...rated, part])];
}

// What is missing before the table can be opened, in words; null where nothing is.
export function missing(columns: readonly ColumnAbout[], parts: Parts): string | null {
  const of = (wanted: string) => columns.filter((column) => parts[column.name] === wanted).map((column) => column.name);
  const probs = columns.map((column) => parts[column.name] ?? "").filter((part) => part.startsWith(PROB));
  if (!of("actual").length) return "Which column is the true class, the observed outcome?";
  for (const part of new Set([...SINGLE, ...probs])) {
    const twice = of(part);
    if (twice.length > 1) return `Only one column can be “${partWords(part)}”: ${twice.join(", ")}.`;
  }
  const rated = columns.some((column) => (parts[column.name] ?? "").startsWith("score"));
  if (!probs.length && !rated && !of("predicted").length) {
    return "Which columns hold the predicted probabilities? A column of scores or predicted classes also works.";
  }
  const classes = classesOf(columns, parts);
  if (probs.length && classes.length > 2) {
    const without = classes.filter(({ name }) => !probs.includes(`${PROB}${name}`)).map(({ name }) => name);
    if (without.length) return `With ${classes.length} classes each class needs a column of probabilities; missing for ${shortList(without)}.`;
  }
  return null;
}

function shortList(names: readonly string[]): string {
  const first = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${first} and ${names.length - 5} more` : first;
}
