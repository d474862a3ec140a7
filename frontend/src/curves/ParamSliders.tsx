import { useId } from "preact/hooks";
import { useStore } from "../store";
import { sliderRange } from "./edits";
import type { Param } from "./answer";

// Every `param("name", default)` of the formulas, as a slider and a box.
export function ParamSliders({ params }: { params: Param[] }) {
  const store = useStore();
  if (!params.length) return null;
  const set = (name: string, value: number) => {
    if (!Number.isFinite(value)) return;
    const params = { ...store.state.curve.params, [name]: value };
    store.edit("curve", { params }, `param ${name}`);
  };
  return (
    <fieldset class="params">
      <legend>Parameters</legend>
      {params.map((param) => (
        <Slider key={param.name} param={param} onChange={(value) => set(param.name, value)} />
      ))}
    </fieldset>
  );
}

function Slider({ param, onChange }: { param: Param; onChange: (value: number) => void }) {
  const id = useId();
  const { low, high, step } = sliderRange(param.default, param.value);
  return (
    <div class="param">
      <label for={id}>{param.name}</label>
      <input id={id} type="range" min={low} max={high} step={step} value={param.value} onInput={(event) => onChange(event.currentTarget.valueAsNumber)} />
      <input type="number" step="any" aria-label={`${param.name}, value`} value={param.value} onInput={(event) => onChange(event.currentTarget.valueAsNumber)} />
    </div>
  );
}
