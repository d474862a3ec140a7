// What the data panel says: the section `data` of every question.
export interface DataState {
  models: string[] | null; // null: all
  folds: string[] | null;
  where: string;
  weighted: boolean;
  target: string | null; // null: the positive class of the table
  groups: string | null; // the attribute that says which rows belong together; null: what the table says
}

export const dataDefaults: DataState = { models: null, folds: null, where: "", weighted: true, target: null, groups: null };
