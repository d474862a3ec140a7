import { useState } from "preact/hooks";
import { numberText } from "../ui/format";
import { Check } from "../ui/fields";
import { switched } from "./choosing";

const FEW = 8; // names that need no box of their own

// Some of many names; null stands for all of them, also of those to come.
export function CheckList({ title, names, chosen, onChange }: { title: string; names: readonly string[]; chosen: readonly string[] | null; onChange: (chosen: string[] | null) => void }) {
  const [sought, setSought] = useState("");
  const many = names.length > FEW;
  const shown = many && sought ? names.filter((name) => name.toLowerCase().includes(sought.toLowerCase())) : names;
  const count = chosen === null ? names.length : names.filter((name) => chosen.includes(name)).length;
  return (
    <fieldset class="checklist">
      <legend>
        {title} <small>{`${numberText(count)} of ${numberText(names.length)}`}</small>
      </legend>
      <div class="row">
        <button type="button" class="link" onClick={() => onChange(null)} aria-label={`${title}: select all`}>
          Select all
        </button>
        <button type="button" class="link" onClick={() => onChange([])} aria-label={`${title}: select none`}>
          None
        </button>
      </div>
      {many && (
        <label class="find">
          <span>{`Find in ${title.toLowerCase()}`}</span>
          <input type="search" value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
        </label>
      )}
      <div class={many ? "names boxed" : "names"}>
        {shown.map((name) => (
          <Check key={name} label={name} checked={chosen === null || chosen.includes(name)} onChange={() => onChange(switched(names, chosen, name))} />
        ))}
        {!shown.length && <p class="hint">No name matches.</p>}
      </div>
      {count === 0 && <p class="hint lacking">Nothing is selected.</p>}
    </fieldset>
  );
}
