import type { About } from "../answers";
import { choicesOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Select } from "../ui/fields";
import { counted, unitOf } from "../ui/format";
import { Pick } from "../ui/Pick";
import type { CurveState } from "../curves/state";

const MOST_LISTED = 20;
const AS_DRAWN = { value: "", label: "As in the curve" };

// The class that counts as positive, in words.
export function Target({ about }: { about: About }) {
  const store = useStore();
  const chosen = usePart((state) => state.data.target) ?? about.positive;
  const multiclass = usePart((state) => state.curve.multiclass);
  const choose = (name: string) => store.edit("data", { target: name === about.positive ? null : name });
  const label = "Positive class (the outcome to detect)";
  const why = "The curve is drawn for every class. Other views use this positive class.";
  const shared = { label, value: chosen, onChange: choose };
  if (about.classes.length > MOST_LISTED) {
    return <Pick {...shared} choices={about.classes.map(({ name }) => name)} hint={multiclass ? why : `${counted(about.k, "class", "classes")}; type to find one`} disabled={multiclass !== null} />;
  }
  return <Select {...shared} choices={about.classes.map(({ name, n }) => ({ value: name, label: `${name} (${counted(n, unitOf(about))})` }))} disabled={multiclass !== null} {...(multiclass ? { hint: why } : {})} />;
}

const SAME = "The same choice as “Averaging” of the curve panel; only the curve follows it.";

// How curves of several folds and of several classes become one; the curve panel sets the same.
export function Averaging({ about }: { about: About }) {
  const store = useStore();
  const average = usePart((state) => state.curve.average);
  const multiclass = usePart((state) => state.curve.multiclass);
  const requests = useRequests();
  return (
    <>
      {about.folds.length > 1 && <Select label="Averaging of folds" hint={SAME} value={average ?? ""} choices={[AS_DRAWN, ...choicesOf(requests, "curve", "average")]} onChange={(value) => store.edit("curve", { average: (value || null) as CurveState["average"] })} />}
      {about.k > 2 && <Select label="Averaging of classes" value={multiclass ?? ""} choices={choicesOf(requests, "curve", "multiclass")} onChange={(value) => store.edit("curve", { multiclass: (value || null) as CurveState["multiclass"] })} />}
    </>
  );
}
