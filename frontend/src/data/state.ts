// What the data panel says: the section `data` of every question.
export interface DataState {
  models: string[] | null; // null: all
  folds: string[] | null;
  where: string;
  weighted: boolean;
  target: string | null; // null: the positive class of the table
}

export const dataDefaults: DataState = { models: null, folds: null, where: "", weighted: true, target: null };

const texts = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;

// What an address says may be anything: names are lists of texts, or all of them.
export const soundData = (data: DataState): DataState => ({
  ...data,
  models: texts(data.models),
  folds: texts(data.folds),
  target: typeof data.target === "string" ? data.target : null,
});
