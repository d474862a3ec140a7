import type { About } from "../answers";
import { FormulaBox } from "../formula/FormulaBox";
import { choiceOf, choicesOf, labelOf, useRequests } from "../requests";
import { useStore } from "../store";
import { ChoiceField } from "./ChoiceField";
import { type InForce, refused } from "./rules";
import type { CurveState } from "./state";

// In which order rows are met, and what rows of equal value become.
export function OrderPart({ curve, set, about }: { curve: CurveState; set: InForce; about: About }) {
  const store = useStore();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "curve", param);
  const merge = choiceOf(requests, "curve", "merge", set.merge);
  const rating = about.has_prob ? "probability" : about.has_score ? "score" : "the rating of the classifier";
  const unsorted = set.direction === "unsorted";
  return (
    <fieldset>
      <legend class="visually-hidden">Order of the rows</legend>
      <FormulaBox
        label={label("sort_by")}
        part="sort_by"
        value={curve.sort_by ?? ""}
        placeholder={unsorted ? "the order of the table" : (set.sort_by ?? rating)}
        onChange={(text) => store.edit("curve", { sort_by: text.trim() ? text : null }, "sort_by")}
      />
      <ChoiceField label={label("direction")} value={set.direction} choices={choicesOf(requests, "curve", "direction")} refused={refused("direction", curve, set, about)} onChange={(direction) => store.edit("curve", { direction: direction as CurveState["direction"] })} />
      <ChoiceField label={label("merge")} value={set.merge} choices={choicesOf(requests, "curve", "merge")} refused={{}} hint={merge?.help ?? ""} onChange={(merge) => store.edit("curve", { merge: merge as CurveState["merge"] })} />
    </fieldset>
  );
}
