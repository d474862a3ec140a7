import type { About } from "../answers";
import { usePart, useStore } from "../store";
import { Check, Select } from "../ui/fields";

const BINS = [
  ["", "15 of equal width (usual)"],
  ["equal-width:5", "5 of equal width"],
  ["equal-width:10", "10 of equal width"],
  ["equal-width:20", "20 of equal width"],
  ["equal-size:5", "5 of equal size"],
  ["equal-size:10", "10 of equal size"],
  ["equal-size:15", "15 of equal size"],
  ["equal-size:20", "20 of equal size"],
] as const;

// How the calibration error is measured, and whether chance is shown beside the numbers.
export function ScoreControls({ about, ranges }: { about: About; ranges: boolean }) {
  const { bins, view } = usePart((state) => state.models);
  const store = useStore();
  if (!about.has_prob) return null;
  const views = [
    { value: "", label: about.k === 2 ? "The positive class (usual)" : "The top label (usual)" },
    { value: about.k === 2 ? "top-label" : "classwise", label: about.k === 2 ? "The top label" : "Class by class" },
  ];
  return (
    <div class="controls">
      <Select label="Bins of the calibration error" value={bins} choices={BINS.map(([value, label]) => ({ value, label }))} onChange={(value) => store.edit("models", { bins: value })} />
      <Select label="View of the calibration error" value={view} choices={views} onChange={(value) => store.edit("models", { view: value })} />
      <Check label="Show what true probabilities would score" checked={ranges} onChange={(checked) => store.edit("models", { ranges: checked })} />
    </div>
  );
}
