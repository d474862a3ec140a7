// What the columns of a table mean, as it is chosen: one part a column.
import type { ColumnAbout, Roles, Writing } from "../host";

// "actual", "prob:CLASS", LISTS, OF_CLASS, the name of another part, or "attribute".
export type Part = string;
export type Parts = Record<string, Part>; // column -> part
export type ClassRows = { name: string; rows: number | null }; // rows are null where nobody counted

export const SINGLE = ["actual", "predicted", "score", "model", "fold", "repeat", "row", "weight", "class"] as const;
export const LISTS = "lists"; // one column of lists, a probability of each class
export const OF_CLASS = "of-class"; // of a table with one row a class
const WORDS: Record<string, string> = {
  actual: "True class",
  predicted: "Predicted class",
  score: "Score (a rating, no probability)",
  model: "Model",
  fold: "Fold",
  repeat: "Repeat",
  row: "Row (which example it is)",
  weight: "Weight",
  class: "Class of the row (one row a class)",
  [OF_CLASS]: "Probability of the row’s class",
  [LISTS]: "Probabilities of all classes",
  groups: "Group (an ID that recurs)",
  "count:rows": "Number of rows",
  attribute: "Attribute",
};
const MOST_OFFERED = 30; // classes that every column is offered
const PROB = "prob:";
const isProb = (part: Part): boolean => part.startsWith(PROB) || part === LISTS || part === OF_CLASS;

export function partWords(part: Part): string {
  if (part.startsWith(PROB)) return `P(${part.slice(PROB.length)})`;
  if (part.startsWith("score:")) return `Score of ${part.slice("score:".length)}`;
  return WORDS[part] ?? part;
}

export function partsOf(columns: readonly ColumnAbout[], roles: Roles): Parts {
  return Object.fromEntries(columns.map((column) => [column.name, partOf(column, roles)]));
}

function partOf({ name, type }: ColumnAbout, roles: Roles): Part {
  if (name === roles.actual) return "actual";
  if (name === roles.groups) return "groups";
  if (Object.hasOwn(roles.prob, name)) {
    const target = roles.prob[name] ?? null;
    if (target !== null) return `${PROB}${target}`;
    if (type.startsWith("lists")) return LISTS;
    return Object.values(roles.rename).includes("class") ? OF_CLASS : `${PROB}${roles.positive ?? ""}`;
  }
  return (Object.hasOwn(roles.rename, name) && roles.rename[name]) || "attribute";
}

// How the values are written, which no column says.
export type Values = Pick<Roles, "normalize" | "missing" | "logits" | "scale">;

export const valuesOf = ({ normalize, missing, logits, scale }: Roles): Values => ({ normalize, missing, logits, scale });

// The parts as the library takes them; columns of probabilities in the order of the reading that was shown first.
export function rolesOf(columns: readonly ColumnAbout[], parts: Parts, positive: string | null, values: Values, { prob, separator, decimal, names }: Pick<Roles, "prob"> & Writing): Roles {
  const roles: Roles = { actual: null, prob: {}, rename: {}, positive, groups: null, ...values, separator, decimal, names };
  const models = modelsOf(columns, parts);
  const known = Object.keys(prob);
  const place = ({ name }: ColumnAbout) => (known.includes(name) ? known.indexOf(name) : known.length);
  for (const { name } of [...columns].sort((a, b) => place(a) - place(b))) {
    const part = parts[name] ?? "attribute";
    if (part === "actual") roles.actual = name;
    else if (part === "groups") roles.groups = name;
    else if (isProb(part)) roles.prob[name] = models || !part.startsWith(PROB) ? null : part.slice(PROB.length);
    else if (part !== "attribute") roles.rename[name] = part;
  }
  if (models) roles.positive = models.target;
  return roles;
}

// Several columns of one class, and none of the other: models beside each other.
export function modelsOf(columns: readonly ColumnAbout[], parts: Parts): { target: string; names: string[] } | null {
  const probs = columns.filter(({ name }) => (parts[name] ?? "").startsWith(PROB));
  const targets = new Set(probs.map(({ name }) => parts[name]!));
  if (probs.length < 2 || targets.size > 1) return null;
  return { target: [...targets][0]!.slice(PROB.length), names: probs.map(({ name }) => name) };
}

// The classes: what occurs in the column of true classes, and what columns of probabilities are for.
export function classesOf(columns: readonly ColumnAbout[], parts: Parts): ClassRows[] {
  const truth = columns.find((column) => parts[column.name] === "actual");
  const known = truth?.values ?? null;
  const found = new Map<string, number | null>((known ?? []).map(({ name, rows }) => [name, rows]));
  for (const column of columns) {
    const part = parts[column.name] ?? "";
    const name = part.slice(PROB.length);
    if (part.startsWith(PROB) && name && !found.has(name)) found.set(name, known ? 0 : null);
  }
  return [...found].map(([name, rows]) => ({ name, rows }));
}

// The class that is taken where none is chosen: the last one, in the order of the probabilities.
export function lastClass(columns: readonly ColumnAbout[], parts: Parts): string | null {
  const probs = columns.map(({ name }) => parts[name] ?? "").filter((part) => part.startsWith(PROB));
  return probs.length > 1 ? probs.at(-1)!.slice(PROB.length) : (classesOf(columns, parts).at(-1)?.name ?? null);
}

// What a column may be said to be; `kept` are parts that it has or had.
export function offered(column: ColumnAbout, kept: readonly Part[], classes: readonly ClassRows[]): Part[] {
  const few = classes.length <= MOST_OFFERED ? classes.map(({ name }) => `${PROB}${name}`) : [];
  const own = column.name.startsWith("p:") ? [`${PROB}${column.name.slice(2)}`] : [];
  const rated = column.name.startsWith("score:") ? [column.name] : [];
  const whole = column.type.startsWith("lists") ? [LISTS] : [OF_CLASS];
  return [...new Set(["attribute", "actual", ...few, ...own, ...SINGLE.slice(1), ...whole, ...rated, ...kept])];
}

// What is missing before the table can be opened, in words; null where nothing is.
export function missing(columns: readonly ColumnAbout[], parts: Parts): string | null {
  const of = (wanted: string) => columns.filter((column) => parts[column.name] === wanted).map((column) => column.name);
  const probs = columns.map((column) => parts[column.name] ?? "").filter(isProb);
  const classes = classesOf(columns, parts);
  const beside = classes.length <= 2 && modelsOf(columns, parts) !== null;
  if (!of("actual").length) return "Which column is the true class, the observed outcome?";
  for (const part of new Set([...SINGLE, ...probs])) {
    const twice = of(part);
    if (twice.length > 1 && !(beside && part.startsWith(PROB))) return `Only one column can be “${partWords(part)}”: ${twice.join(", ")}.`;
  }
  const long = [of("class"), of(OF_CLASS), of("row")];
  if ((long[0]!.length || long[1]!.length) && !long.every((names) => names.length)) {
    return `A table with one row a class needs three columns: “${WORDS["row"]}”, “${WORDS["class"]}” and “${WORDS[OF_CLASS]}”.`;
  }
  const rated = columns.some((column) => (parts[column.name] ?? "").startsWith("score"));
  if (!probs.length && !rated && !of("predicted").length) {
    return "Which columns hold the predicted probabilities? A column of scores or predicted classes also works.";
  }
  if (probs.some((part) => part.startsWith(PROB)) && classes.length > 2) {
    const without = classes.filter(({ name }) => !probs.includes(`${PROB}${name}`)).map(({ name }) => name);
    if (without.length) return `With ${classes.length} classes each class needs a column of probabilities; missing for ${shortList(without)}.`;
  }
  return null;
}

function shortList(names: readonly string[]): string {
  const first = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${first} and ${names.length - 5} more` : first;
}
