// Small controls, each with its label: native elements, which every keyboard and reader knows.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

export type Choice = { value: string | number; label: string };

export function Field({ label, hint, children }: { label: string; hint?: string; children: (id: string) => ComponentChildren }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint && <small>{hint}</small>}
    </div>
  );
}

export function Select({ label, value, choices, onChange, hint }: { label: string; value: string | number; choices: readonly Choice[]; onChange: (value: string) => void; hint?: string }) {
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check({ label, checked, disabled = false, onChange }: { label: string; checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

// `live` tells of every number while it is typed; else it is told once the field is left.
export function NumberField({ label, value, onChange, min, max, step, hint, placeholder, live }: { label: string; value: number | null; onChange: (value: number | null) => void; min?: number; max?: number; step?: number | "any"; hint?: string; placeholder?: string; live?: boolean }) {
  const [draft, setDraft] = useState<string | null>(null); // what is being typed outlives answers that arrive meanwhile
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => (
        <input
          id={id}
          type="number"
          value={draft ?? value ?? ""}
          min={min}
          max={max}
          step={step ?? "any"}
          placeholder={placeholder}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
            if (live) onChange(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber);
          }}
          onBlur={() => setDraft(null)}
          onChange={(event) => {
            setDraft(null);
            onChange(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber);
          }}
        />
      )}
    </Field>
  );
}
