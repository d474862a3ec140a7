// What may stand where the caret is: pure functions of the text and the vocabulary.
import type { FunctionHelp, Variable, Vocabulary } from "./vocabulary";

export interface Suggestion {
  insert: string; // replaces the text from `from` to `to`
  caret: number; // where the caret is then, counted from the start of what was inserted
  label: string;
  note: string; // what it is, in a word or two
  variable?: Variable;
  help?: FunctionHelp;
}

export interface Completion {
  from: number;
  to: number;
  word: string;
  items: Suggestion[];
}

export type Part = "x" | "y" | "where" | "sort_by" | "subject_to";

const MOST = 40;
const WORD = /[\p{L}\p{N}_]/u;
const OF_ROWS: ReadonlySet<Part> = new Set<Part>(["where", "sort_by"]); // where only values of rows can stand
const NOTES: Record<Variable["group"], string> = {
  attribute: "column",
  row: "of the row",
  count: "count",
  rate: "rate",
  threshold: "threshold",
  constant: "constant",
};

// The word that the caret is in or behind: a name, a name in back-ticks, or a text in quotes.
export function wordAt(text: string, caret: number): { from: number; to: number; quote: string | null } {
  const quote = openQuote(text, caret);
  if (quote !== null) {
    const closing = text.indexOf(text[quote]!, caret);
    return { from: quote, to: closing < 0 ? text.length : closing + 1, quote: text[quote]! };
  }
  let from = caret;
  while (from > 0 && WORD.test(text[from - 1]!)) from -= 1;
  let to = caret;
  while (to < text.length && WORD.test(text[to]!)) to += 1;
  if (from === to && from > 0 && text[from - 1] === "`") {
    const opening = text.lastIndexOf("`", from - 2);
    if (opening >= 0) return { from: opening, to: from, quote: null };
  }
  return { from, to, quote: null };
}

// The place of the quote or back-tick that is open at the caret, null where none is.
function openQuote(text: string, caret: number): number | null {
  let open: number | null = null;
  for (let place = 0; place < caret; place += 1) {
    const sign = text[place]!;
    if (open === null ? "'\"`".includes(sign) : sign === text[open]) open = open === null ? place : null;
  }
  return open;
}

// The category that the caret stands behind a comparison with: `purpose == `, `purpose in ('car', `.
export function comparedWith(vocabulary: Vocabulary, before: string): Variable | null {
  const found = /(`[^`]+`|[\p{L}_][\p{L}\p{N}_]*)\s*(?:==|!=|(?:not\s+)?in\s*[([](?:[^()[\]]*,)?)\s*$/u.exec(before);
  const variable = found && variableNamed(vocabulary, found[1]!);
  return variable && variable.kind === "category" ? variable : null;
}

export const variableNamed = (vocabulary: Vocabulary, name: string): Variable | undefined =>
  vocabulary.variables.find((variable) => variable.name === name || variable.name === `\`${name}\``);

export const functionNamed = (vocabulary: Vocabulary, name: string): FunctionHelp | undefined =>
  vocabulary.functions.find((help) => help.name === name);

// What could stand at the caret; `all` also where nothing has been typed yet.
export function complete(vocabulary: Vocabulary, text: string, caret: number, part: Part, all = false): Completion {
  const { from, to, quote } = wordAt(text, caret);
  const word = text.slice(from, caret);
  const compared = comparedWith(vocabulary, text.slice(0, from));
  if (quote === "'" || quote === '"') {
    return { from, to, word, items: compared ? valuesOf(compared, word.slice(1)) : [] };
  }
  if (/^\p{N}/u.test(word)) return { from, to, word, items: [] };
  const values = compared ? valuesOf(compared, word) : [];
  if (!word && !all) return { from, to, word, items: values };
  const names = namesFor(vocabulary, word, part, text.slice(to));
  return { from, to, word, items: [...values, ...names].slice(0, MOST) };
}

function valuesOf(variable: Variable, word: string): Suggestion[] {
  return ranked(variable.categories, word, (value) => value).map((value) => {
    const insert = quoted(value);
    return { insert, caret: insert.length, label: insert, note: `value of ${variable.name}` };
  });
}

function namesFor(vocabulary: Vocabulary, word: string, part: Part, after: string): Suggestion[] {
  const variables = vocabulary.variables.filter((variable) => !OF_ROWS.has(part) || variable.level !== "state");
  const functions = vocabulary.functions.filter((help) => !OF_ROWS.has(part) || help.level !== "state");
  const all = [
    ...variables.map((variable) => ({ name: variable.name, make: () => ofVariable(variable) })),
    ...functions.map((help) => ({ name: help.name, make: () => ofFunction(help, after) })),
  ];
  return ranked(all, word.replaceAll("`", ""), (one) => one.name.replaceAll("`", ""))
    .slice(0, MOST)
    .map((one) => one.make());
}

const ofVariable = (variable: Variable): Suggestion => ({
  insert: variable.name,
  caret: variable.name.length,
  label: variable.name,
  note: NOTES[variable.group],
  variable,
});

function ofFunction(help: FunctionHelp, after: string): Suggestion {
  const bracketed = after.trimStart().startsWith("(");
  const insert = bracketed ? help.name : `${help.name}()`;
  return { insert, caret: help.name.length + 1, label: help.signature, note: "function", help };
}

// Those that fit a word, the best first: the same, the same start, the same start of a part, within.
export function ranked<One>(all: readonly One[], word: string, name: (one: One) => string): One[] {
  if (!word) return [...all];
  const lower = word.toLowerCase();
  const score = (text: string): number => {
    if (text === word) return 0;
    if (text.startsWith(word)) return 1;
    const low = text.toLowerCase();
    if (low.startsWith(lower)) return 2;
    if (low.split(/[_\s]/).some((piece) => piece.startsWith(lower))) return 3;
    return low.includes(lower) && lower.length > 1 ? 4 : 5;
  };
  return all
    .map((one) => ({ one, fits: score(name(one)), length: name(one).length }))
    .filter(({ fits }) => fits < 5)
    .sort((a, b) => a.fits - b.fits || a.length - b.length)
    .map(({ one }) => one);
}

// A text as a formula writes it.
export const quoted = (value: string): string => {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  return mark + value.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
};

// What is told about at the caret: the name there, or the function whose brackets it is in.
export function helpAt(vocabulary: Vocabulary, text: string, caret: number): Variable | FunctionHelp | null {
  const { from, to, quote } = wordAt(text, caret);
  if (quote !== "'" && quote !== '"') {
    const word = text.slice(from, to);
    const called = text.slice(to).trimStart().startsWith("(");
    const found = (called ? functionNamed(vocabulary, word) : undefined) ?? variableNamed(vocabulary, word);
    if (found) return found;
  }
  return enclosing(vocabulary, text.slice(0, from));
}

function enclosing(vocabulary: Vocabulary, before: string): FunctionHelp | null {
  let depth = 0;
  for (let place = before.length - 1; place >= 0; place -= 1) {
    if (before[place] === ")") depth += 1;
    else if (before[place] === "(" && depth > 0) depth -= 1;
    else if (before[place] === "(") {
      const { from } = wordAt(before, place);
      const found = functionNamed(vocabulary, before.slice(from, place));
      if (found) return found;
    }
  }
  return null;
}

// Places as Python counts them, in whole characters, in those of a text here.
export const placeOf = (text: string, characters: number): number => [...text].slice(0, characters).join("").length;
