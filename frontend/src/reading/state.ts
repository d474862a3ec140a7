// What is read off the curve; null: that section is closed.
export interface ReadingState {
  optimum: "max" | "min" | null;
  measure: string | null; // the formula that is to be best, null: y of the curve
  subject_to: string;
  threshold_of: string | null; // what the shared threshold is one of; see `Unit`
  between: [number, number] | null; // two cursors: the cases between them
  between_of: string | null; // what they are two of
  cases_of: string | null; // the model whose cases they are, null: the first
  difference: [string, string] | null; // two models to compare
  subgroups: string | null; // the attribute of the small multiples
  iso_cost: { fp: number; fn: number } | null;
}

export const readingDefaults: ReadingState = {
  optimum: null,
  measure: null,
  subject_to: "",
  threshold_of: null,
  between: null,
  between_of: null,
  cases_of: null,
  difference: null,
  subgroups: null,
  iso_cost: null,
};

// A URL is typed by people, too: what is no pair of its kind is none.
export function pairOf<Kind extends number | string>(value: unknown, kind: "number" | "string"): [Kind, Kind] | null {
  const sound = Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === kind && !Number.isNaN(one));
  return sound ? (value as [Kind, Kind]) : null;
}
