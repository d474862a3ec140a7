import type { About } from "../answers";
import type { PresetHelp, Vocabulary } from "../formula/vocabulary";
import { useStore } from "../store";
import { Select } from "../ui/fields";
import { withFormulas, withPreset } from "./edits";
import type { CurveState } from "./state";

const OWN = "";

// Which curve: a preset, whose formulas are shown, or formulas of one's own.
export function PresetPart({ curve, preset, vocabulary, about }: { curve: CurveState; preset: PresetHelp | null; vocabulary: Vocabulary; about: About }) {
  const store = useStore();
  const choose = (name: string) => {
    if (name === OWN) {
      if (preset) store.edit("curve", withFormulas(curve, preset, vocabulary));
      return;
    }
    const needs = vocabulary.presets.find((one) => one.name === name)?.needs === "x";
    store.edit("curve", withPreset(curve, name, needs ? (about.attributes[0]?.name ?? "probability") : null));
  };
  return (
    <>
      <Select
        label="Preset or user-defined formula"
        value={curve.preset ?? OWN}
        choices={[{ value: OWN, label: "User-defined formula" }, ...vocabulary.presets.map((one) => ({ value: one.name, label: one.title, group: "Presets", disabled: one.needs === "x" && !about.attributes.length }))]}
        onChange={choose}
      />
      {preset?.needs === "x" && (
        <Select label="Column on the x axis" value={curve.x ?? ""} choices={about.attributes.map((one) => ({ value: one.name, label: one.name }))} onChange={(x) => store.edit("curve", { x })} />
      )}
      {preset && <PresetFormulas curve={curve} preset={preset} onEdit={() => choose(OWN)} />}
    </>
  );
}

function PresetFormulas({ curve, preset, onEdit }: { curve: CurveState; preset: PresetHelp; onEdit: () => void }) {
  return (
    <div class="preset-formulas">
      <dl class="facts">
        <dt>x</dt>
        <dd>
          <code>{curve.x ?? preset.x}</code>
        </dd>
        <dt>y</dt>
        <dd>
          <code>{curve.y ?? preset.y}</code>
        </dd>
      </dl>
      <button type="button" onClick={onEdit}>
        Edit the formulas
      </button>
    </div>
  );
}
