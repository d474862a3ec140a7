import type { About } from "../answers";
import { FormulaBox } from "../formula/FormulaBox";
import { useStore } from "../store";
import { ChoiceField } from "./ChoiceField";
import { type InForce, refused } from "./rules";
import type { CurveState } from "./state";

const DIRECTIONS = [
  { value: "descending", label: "From high to low" },
  { value: "ascending", label: "From low to high" },
  { value: "unsorted", label: "No sorting" },
];
const MERGES = [
  { value: "last", label: "Last value (ROC)" },
  { value: "average", label: "Average" },
  { value: "none", label: "No merge" },
];
const MERGED: Record<string, string> = {
  last: "One point when the last of them is met: they share a threshold.",
  average: "One point, the mean of theirs.",
  none: "A point for every row, in an order that means nothing.",
};

// In which order rows are met, and what rows of equal value become.
export function OrderPart({ curve, set, about }: { curve: CurveState; set: InForce; about: About }) {
  const store = useStore();
  const rating = about.has_prob ? "probability" : about.has_score ? "score" : "the classifier's answer";
  const unsorted = set.direction === "unsorted";
  return (
    <fieldset>
      <legend class="visually-hidden">Order of the rows</legend>
      <FormulaBox
        label="Sort data by"
        part="sort_by"
        value={curve.sort_by ?? ""}
        placeholder={unsorted ? "the order of the table" : (set.sort_by ?? rating)}
        onChange={(text) => store.edit("curve", { sort_by: text.trim() ? text : null }, "sort_by")}
      />
      <ChoiceField label="Direction" value={set.direction} choices={DIRECTIONS} refused={refused("direction", curve, set, about)} onChange={(direction) => store.edit("curve", { direction: direction as CurveState["direction"] })} />
      <ChoiceField label="Merge rows of equal value" value={set.merge} choices={MERGES} refused={{}} hint={MERGED[set.merge]!} onChange={(merge) => store.edit("curve", { merge: merge as CurveState["merge"] })} />
    </fieldset>
  );
}
