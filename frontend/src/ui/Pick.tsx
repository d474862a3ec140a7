import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Field } from "./fields";
import { matching, moved } from "./list";
import { Options } from "./Options";

interface Props {
  label: string;
  value: string;
  choices: readonly string[];
  onChange: (value: string) => void;
  hint?: string;
  disabled?: boolean;
}

// One of many names, found by typing a part of it.
export function Pick({ label, value, choices, onChange, hint, disabled = false }: Props) {
  const [draft, setDraft] = useState(value);
  const [active, setActive] = useState<number | null>(null); // null: the list is closed
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  useEffect(() => setDraft(value), [value]);
  const known = choices.includes(draft);
  const names = choices.map((name) => ({ value: name, label: name }));
  const found = known ? names : matching(names, draft); // a whole name shows them all, so that another can be taken
  const open = active !== null;
  const close = () => setActive(null);
  const type = (text: string) => {
    setDraft(text);
    const left = matching(names, text);
    setActive(left.length === 1 && left[0]!.label === text ? null : choices.includes(text) ? -1 : 0);
    if (choices.includes(text) && text !== value) onChange(text);
  };
  const take = (place: number) => {
    const name = found[place]?.label;
    close();
    if (name === undefined) return;
    setDraft(name);
    if (name !== value) onChange(name);
  };
  const key = (event: KeyboardEvent) => {
    const to = event.key === "Home" || event.key === "End" ? null : moved(found, active ?? -1, event.key);
    if (event.key === "Escape" && open) close();
    else if (event.key === "Enter" && open && active >= 0) take(active);
    else if (to !== null) setActive(open ? to : choices.indexOf(value));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const said = known ? hint : draft === "" ? "Type a part of the name" : found.length ? `${value} stays selected until a whole name is chosen` : `No name matches ${draft}; ${value} stays selected`;
  return (
    <Field label={label} {...(said ? { hint: said } : {})}>
      {(id) => (
        <>
          <span class="pick">
            <input
              id={id}
              ref={box}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={open}
              aria-controls={open ? list : undefined}
              aria-activedescendant={open && active >= 0 && active < found.length ? `${list}-${active}` : undefined}
              aria-invalid={known ? undefined : true}
              autocomplete="off"
              value={draft}
              disabled={disabled}
              onFocus={(event) => event.currentTarget.select()}
              onClick={() => setActive(choices.indexOf(value))}
              onInput={(event) => type(event.currentTarget.value)}
              onKeyDown={key}
              onBlur={() => {
                close();
                setDraft(value);
              }}
            />
            <span class="chevron down" aria-hidden="true" />
          </span>
          {open && <Options id={list} anchor={box} choices={found} chosen={found.findIndex((one) => one.value === value)} active={active} onPick={take} empty="No name matches." />}
        </>
      )}
    </Field>
  );
}
