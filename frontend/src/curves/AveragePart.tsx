import type { About } from "../answers";
import { choicesOf, labelOf, useRequests } from "../requests";
import { useStore } from "../store";
import { NumberField, Select, Switch } from "../ui/fields";
import { LevelSelect } from "../ui/LevelSelect";
import { ChoiceField } from "./ChoiceField";
import { type InForce, refused } from "./rules";
import type { CurveState } from "./state";

// What folds and classes become, and what is drawn around the lines.
export function AveragePart({ curve, set, about, drawn, hullReason }: { curve: CurveState; set: InForce; about: About; drawn: Record<string, unknown> | undefined; hullReason: string | null }) {
  const store = useStore();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "curve", param);
  const offered = (param: string) => choicesOf(requests, "curve", param);
  const settled = (name: "points" | "thresholds" | "span" | "level" | "resamples") => curve[name] ?? (drawn?.[name] as number | undefined) ?? null;
  const edit = (patch: Partial<CurveState>, merge?: string) => store.edit("curve", patch, merge ?? null);
  return (
    <fieldset>
      <legend class="visually-hidden">Folds, classes and bands</legend>
      <ChoiceField label={label("average")} value={set.average} choices={offered("average")} refused={refused("average", curve, set, about)} onChange={(average) => edit(averaged(average as NonNullable<CurveState["average"]>, curve))} />
      {(set.average === "vertical" || set.average === "smooth") && (
        <NumberField label={label("points")} value={settled("points")} min={2} max={100000} step={1} onChange={(points) => edit({ points: whole(points) }, "points")} />
      )}
      {set.average === "threshold" && <NumberField label={label("thresholds")} value={settled("thresholds")} min={2} max={100000} step={1} onChange={(thresholds) => edit({ thresholds: whole(thresholds) }, "thresholds")} />}
      {set.average === "smooth" && <Span value={settled("span") ?? 0.5} onChange={(span) => edit({ span }, "span")} />}
      <ChoiceField label={label("band")} value={curve.band} choices={offered("band")} refused={refused("band", curve, set, about)} onChange={(band) => edit({ band: band as CurveState["band"] })} />
      {curve.band === "bootstrap" && (
        <div class="pair">
          <LevelSelect label={label("level")} value={settled("level") ?? 0.95} onChange={(level) => edit({ level })} />
          <Select label={label("resamples")} value={settled("resamples") ?? 500} choices={offered("resamples")} onChange={(text) => edit({ resamples: Number(text) })} />
        </div>
      )}
      {about.k > 2 && (
        <ChoiceField label={label("multiclass")} value={curve.multiclass ?? ""} choices={offered("multiclass")} refused={refused("multiclass", curve, set, about)} onChange={(value) => edit({ multiclass: (value || null) as CurveState["multiclass"] })} />
      )}
      <Switch label="Convex hull" checked={curve.hull} onChange={(hull) => edit({ hull })} />
      {curve.hull && hullReason && <small class="choice-wrong">{hullReason}</small>}
    </fieldset>
  );
}

function Span({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <label class="field span">
      <span class="label">Share of the rows in the window</span>
      <span class="row">
        <input type="range" min={0.05} max={1} step={0.05} value={value} onInput={(event) => onChange(event.currentTarget.valueAsNumber)} />
        <output>{Math.round(100 * value)} %</output>
      </span>
    </label>
  );
}

const whole = (value: number | null): number | null => (value === null || Number.isNaN(value) ? null : Math.min(100000, Math.max(2, Math.round(value))));

// Averaged folds have a band, the spread of the folds, which is drawn unless it is turned off; other curves lose it.
function averaged(average: NonNullable<CurveState["average"]>, { band }: CurveState): Partial<CurveState> {
  const ofFolds = average === "vertical" || average === "threshold";
  if (ofFolds) return { average, band: "folds" };
  return { average, ...(band === "folds" ? { band: "none" } : {}) };
}
