import { Field } from "./fields";

// A whole number by a slider and, beside it, by typing.
export function Slider({ label, value, min, max, disabled = false, onChange }: { label: string; value: number; min: number; max: number; disabled?: boolean; onChange: (value: number) => void }) {
  const take = (text: string) => {
    const wanted = Number(text);
    if (text !== "" && Number.isInteger(wanted) && wanted >= min && wanted <= max) onChange(wanted);
  };
  return (
    <Field label={label}>
      {(id) => (
        <div class="slider">
          <input type="range" id={id} min={min} max={max} step={1} value={value} disabled={disabled} onInput={(event) => take(event.currentTarget.value)} />
          <input type="number" aria-label={`${label}, as a number`} min={min} max={max} step={1} value={value} disabled={disabled} onInput={(event) => take(event.currentTarget.value)} />
        </div>
      )}
    </Field>
  );
}
