import { useId } from "preact/hooks";
import { Pick } from "../ui/Pick";
import { counted } from "../ui/format";
import type { ClassRows } from "./roles";

const MOST_BUTTONS = 12;

// The positive class, asked in words.
export function PositiveChoice({ classes, chosen, onChange }: { classes: readonly ClassRows[]; chosen: string | null; onChange: (name: string) => void }) {
  const group = useId();
  if (!classes.length) return null;
  const question = "Which outcome are you trying to detect?";
  if (classes.length > MOST_BUTTONS) {
    return <Pick label={question} value={chosen ?? ""} choices={classes.map(({ name }) => name)} onChange={onChange} hint={`${counted(classes.length, "class", "classes")}; type to find one`} />;
  }
  return (
    <fieldset class="positive">
      <legend>{question}</legend>
      {classes.map(({ name, rows }) => (
        <label class="check" key={name}>
          <input type="radio" name={group} checked={name === chosen} onChange={() => onChange(name)} />
          <span>
            {name} {rows !== null && <small>{counted(rows, "row")}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
