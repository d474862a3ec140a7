// What is read off the curve.
export interface ReadingState {
  optimum: "max" | "min" | null;
  subject_to: string;
  between: [number, number] | null; // two cursors: the cases between them
  difference: [string, string] | null; // two models to compare
  subgroups: string | null; // the attribute of the small multiples
  iso_cost: { fp: number; fn: number } | null;
  pinned: boolean;
}

export const readingDefaults: ReadingState = {
  optimum: null,
  subject_to: "",
  between: null,
  difference: null,
  subgroups: null,
  iso_cost: null,
  pinned: false,
};
