// Small controls, each with its label.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Choice } from "./list";
import { Listbox } from "./Listbox";

export type { Choice };

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

interface SelectProps {
  label: string;
  value: string | number;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  hint?: string;
  disabled?: boolean;
}

export function Select({ label, value, choices, onChange, hint, disabled = false }: SelectProps) {
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => <Listbox id={id} value={value} choices={choices} onChange={onChange} disabled={disabled} />}
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

// Something that is on or off at once; a check is one of several.
export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="check switch">
      <input type="checkbox" role="switch" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
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

// Told once the field is left.
export function TextField({ label, value, onChange, hint }: { label: string; value: string; onChange: (value: string) => void; hint?: string }) {
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => <input id={id} type="text" value={value} onChange={(event) => onChange(event.currentTarget.value)} />}
    </Field>
  );
}

// A text of several lines, as it would stand in a file.
export function LinesField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Field label={label}>
      {(id) => <textarea id={id} class="lines" rows={Math.min(24, Math.max(8, value.split("\n").length + 1))} spellcheck={false} value={value} onChange={(event) => onChange(event.currentTarget.value)} />}
    </Field>
  );
}
