import type { About } from "../answers";
import { usePart, useStore } from "../store";
import { NumberField, Select, Switch } from "../ui/fields";
import { OtherControls } from "../ui/OtherControls";
import { Slider } from "../ui/Slider";
import { choiceOf, choicesBeside, choicesOf, labelOf, useRequests } from "../requests";
import { chosenModels, hasEdges, isNumbered, shownModel } from "./questions";
import type { CalibrationState } from "./state";
import { Disclosure } from "../ui/Disclosure";

const AXES = [{ value: "probability", label: "Probability" }, { value: "log-odds", label: "Log-odds" }];

export const useEdit = () => {
  const store = useStore();
  return (patch: Partial<CalibrationState>, merge: string | null = null) => store.edit("calibration", patch, merge);
};

// What is measured: which event, by which bins, summed how, of which model.
export function Controls({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "calibration", param);
  const parts = { data, calibration };
  const models = chosenModels(about, parts);
  const { view, scheme, bins } = calibration;
  const offered = (param: string) => choicesOf(requests, "calibration", param);
  const distances = choicesBeside(offered("distance"), { view });
  const joint = choiceOf(requests, "calibration", "view", view)?.binless ?? false;
  const see = (wanted: string) => {
    const known = choicesBeside(offered("distance"), { view: wanted });
    edit({ view: wanted || null, ...(known.some((one) => one.value === calibration.distance) ? {} : { distance: String(known[0]!.value) }) });
  };
  const number = choiceOf(requests, "calibration", "bins", scheme)?.number ?? { least: 2, most: 100 };
  return (
    <section class="panel cal-asked" aria-label="What is measured">
      <div class="cal-controls">
        {models.length > 1 && <Select label="Model" value={shownModel(about, parts) ?? ""} choices={models.map((name) => ({ value: name, label: name }))} onChange={(model) => edit({ model })} />}
        <Select label={label("view")} value={view ?? ""} choices={offered("view")} onChange={see} />
        <Select label={label("bins")} value={scheme} choices={offered("bins")} onChange={(wanted) => edit({ scheme: wanted })} {...(joint ? { hint: "The joint view needs no bins." } : {})} />
        <Slider label="Number of bins" value={bins} min={number.least} max={number.most} disabled={!isNumbered(requests, scheme) || joint} onChange={(wanted) => edit({ bins: wanted }, "calibration bins")} />
        <Select label={label("distance")} value={calibration.distance} choices={distances} onChange={(distance) => edit({ distance })} />
      </div>
      <Disclosure title="More">
        <div class="cal-controls">
          <Select label="Draws under the null" value={calibration.resamples} choices={offered("resamples")} onChange={(draws) => edit({ resamples: Number(draws) })} hint="More resamples give smaller p-values." />
          <Select label="Axes of the diagram" value={calibration.axis} choices={AXES} onChange={(axis) => edit({ axis: axis === "log-odds" ? "log-odds" : "probability" })} hint="Log-odds part probabilities near 0 and 1." />
          {hasEdges(requests, scheme) && !joint && <NumberField label="Fewest rows in a bin" value={calibration.least} min={1} step={1} onChange={(least) => edit({ least: least === null ? null : Math.max(1, Math.round(least)) }, "calibration least")} hint="Smaller bins are merged with their neighbour." />}
          <OtherControls request="calibration" part="calibration" folded={false} />
          {models.length > 1 && <Switch label="Show the other models in grey" checked={calibration.others} onChange={(others) => edit({ others })} />}
        </div>
      </Disclosure>
    </section>
  );
}
