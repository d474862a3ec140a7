import type { About } from "../answers";
import { usePart, useStore } from "../store";
import { Check, NumberField, Select } from "../ui/fields";
import { Slider } from "../ui/Slider";
import { distancesOf, RESAMPLES, SCHEMES, viewsOf } from "./choices";
import { chosenModels, hasEdges, isNumbered, shownModel } from "./questions";
import type { CalibrationState } from "./state";

export const FEWEST_BINS = 2;
export const MOST_BINS = 100;

export const useEdit = () => {
  const store = useStore();
  return (patch: Partial<CalibrationState>, merge: string | null = null) => store.edit("calibration", patch, merge);
};

// What is measured: which event, by which bins, summed how, of which model.
export function Controls({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const parts = { data, calibration };
  const models = chosenModels(about, parts);
  const { view, scheme, bins } = calibration;
  const views = viewsOf(about, data.target);
  const joint = view === "joint";
  return (
    <section class="panel cal-asked" aria-label="What is measured">
      <div class="cal-controls">
        {models.length > 1 && <Select label="Model" value={shownModel(about, parts) ?? ""} choices={models.map((name) => ({ value: name, label: name }))} onChange={(model) => edit({ model })} />}
        <Select label="View" value={view ?? ""} choices={views} onChange={(wanted) => edit({ view: wanted || null, ...(wanted === "joint" && !distancesOf("joint").some((one) => one.value === calibration.distance) ? { distance: "absolute" } : {}) })} />
        <Select label="Bins" value={scheme} choices={SCHEMES} onChange={(wanted) => edit({ scheme: wanted })} {...(joint ? { hint: "Whole vectors need none." } : {})} />
        <Slider label="Number of bins" value={bins} min={FEWEST_BINS} max={MOST_BINS} disabled={!isNumbered(scheme) || joint} onChange={(wanted) => edit({ bins: wanted }, "calibration bins")} />
        <Select label="Distance" value={calibration.distance} choices={distancesOf(view)} onChange={(distance) => edit({ distance })} />
      </div>
      <details>
        <summary>More</summary>
        <div class="cal-controls">
          <Select label="Draws under the null" value={String(calibration.resamples)} choices={RESAMPLES} onChange={(draws) => edit({ resamples: Number(draws) })} hint="More draws, finer p-values." />
          {hasEdges(scheme) && !joint && <NumberField label="Fewest rows in a bin" value={calibration.least} min={1} step={1} onChange={(least) => edit({ least: least === null ? null : Math.max(1, Math.round(least)) }, "calibration least")} hint="Smaller bins join their neighbour." />}
          {models.length > 1 && <Check label="Show the other models in grey" checked={calibration.others} onChange={(others) => edit({ others })} />}
        </div>
      </details>
    </section>
  );
}
