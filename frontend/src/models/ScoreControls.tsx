import type { About } from "../answers";
import { choicesOf, labelOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Select, Switch } from "../ui/fields";
import { OtherControls } from "../ui/OtherControls";

// How the calibration error is measured, and whether chance is shown beside the numbers.
export function ScoreControls({ about, ranges }: { about: About; ranges: boolean }) {
  const { bins, view } = usePart((state) => state.models);
  const store = useStore();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "scores", param);
  if (!about.has_prob) return null;
  const offered = (param: string) => choicesOf(requests, "scores", param);
  return (
    <div class="controls">
      <Select label={label("bins")} value={bins} choices={offered("bins")} onChange={(value) => store.edit("models", { bins: value })} />
      <Select label={label("view")} value={view} choices={offered("view")} onChange={(value) => store.edit("models", { view: value })} />
      <OtherControls request="scores" part="models" />
      <Switch label="Show what is expected if calibrated" checked={ranges} onChange={(checked) => store.edit("models", { ranges: checked })} />
    </div>
  );
}
