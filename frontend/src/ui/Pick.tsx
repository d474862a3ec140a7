import { useEffect, useId, useState } from "preact/hooks";
import { Field } from "./fields";

// One of many names, found by typing: the browser's own list of suggestions.
export function Pick({ label, value, choices, onChange, hint, disabled }: { label: string; value: string; choices: readonly string[]; onChange: (value: string) => void; hint?: string; disabled?: boolean }) {
  const [draft, setDraft] = useState(value);
  const list = useId();
  useEffect(() => setDraft(value), [value]);
  const known = choices.includes(draft);
  const type = (text: string) => {
    setDraft(text);
    if (choices.includes(text) && text !== value) onChange(text);
  };
  const said = known ? hint : draft === "" ? "Type a part of the name" : `No name matches ${draft}; ${value} stays selected`;
  return (
    <Field label={label} {...(said ? { hint: said } : {})}>
      {(id) => (
        <>
          <input id={id} list={list} value={draft} disabled={disabled} aria-invalid={!known} autocomplete="off" onFocus={(event) => event.currentTarget.select()} onInput={(event) => type(event.currentTarget.value)} onBlur={() => setDraft(value)} />
          <datalist id={list}>
            {choices.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
