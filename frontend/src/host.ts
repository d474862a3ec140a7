// What the workbench needs of the place it runs in: a page of `plumbline serve`, or a notebook.

export interface Question {
  kind: string;
  [field: string]: unknown;
}

export interface Failure {
  kind: "parameter" | "formula" | "input" | "unclear" | "extra" | "limit" | "cancelled" | "gone" | "offline" | "crash";
  message: string;
  code?: string; // what is wrong, as a stable name
  argument?: string; // what it is wrong with
  formula?: string;
  start?: number;
  end?: number;
}

export class AskError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export interface Asking {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface Example {
  name: string;
  title: string;
  text: string;
}

export interface Start {
  served: string | null; // the table of `plumbline serve FILE`
  former?: string[]; // what it was called before the file changed
  news?: string | null; // what became of the file, where `served` is not what it holds now
  watched?: boolean; // whether the file is read anew by itself whenever it changes
  columns?: boolean; // whether its columns may be chosen anew
  examples: Example[];
  files?: { endings: string[]; packed: string[]; names: string }; // what can be opened
  limits: { upload_bytes?: number; rows?: number; seconds?: number };
  version?: string;
}

// What became of the file behind a table.
export interface Alive {
  news: string | null;
  table: string; // the one to show: another where a watched file was read anew
}

// What the columns of a table mean; the names are those of `plumbline.read`.
export interface Roles {
  actual: string | null;
  prob: Record<string, string | null>; // column -> class; null: a model of the positive class, or all classes
  rename: Record<string, string>; // column -> model, fold, repeat, row, weight, predicted, score, ...
  positive: string | null;
  normalize: boolean;
  missing: string | null; // "drop" leaves out rows without a value
  logits: boolean;
  scale: number | null; // what stands for a probability of 1
  groups: string | null; // an ID that recurs
  separator: string | null; // null where it is recognised
  decimal: string | null;
  names: string[] | null; // of the columns of a text without a header
}

// How a text file is written; null: recognised.
export type Writing = Pick<Roles, "separator" | "decimal" | "names">;

export interface ColumnAbout {
  name: string;
  type: string; // "text", "whole number", "number", "true or false", "lists of numbers", ...
  examples: string[];
  values: { name: string; rows: number | null }[] | null; // the classes it may hold, where they are few
}

export interface ColumnsAnswer {
  name: string; // of the file
  rows: number | null; // null of a file so large that nobody counted them
  looked_at: number; // rows that the answer knows
  columns: ColumnAbout[];
  guess: Roles; // how the table is read, as far as that is clear
  readings: { text: string; roles: Roles }[]; // where it is not: those to choose from
  written: { separator: string; decimal: string } | null; // of a text file of separated values
  positive_why: string | null; // why that class is the positive one
  complete: boolean; // whether the guess opens the table
  problem: string | null; // why it does not
  opened: boolean; // whether questions are answered already
}

export type TableAnswers = Record<string, unknown>; // the question as text -> its answer

export interface Host {
  notebook: boolean; // whether there is one table for good, and no URL of our own
  start(): Promise<Start>;
  upload(file: File, asking?: Asking): Promise<string>; // the id of a table that is not open yet
  columns(table: string, writing?: Writing): Promise<ColumnsAnswer>;
  open(table: string, roles: Roles): Promise<string>; // the id to ask; opened again, a table has a new one
  example(name: string): Promise<string>;
  assets(): Promise<{ script: string; style: string }>; // the front end itself, for a file that needs no server
  ask(table: string, question: Question, asking?: Asking): Promise<unknown>;
  alive(table: string): Promise<Alive>; // somebody still looks at it
  onLost?(listener: () => void): () => void; // the kernel of a notebook may be gone
  close(table: string): Promise<void>;
}
