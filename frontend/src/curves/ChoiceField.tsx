import { Field, type Choice } from "../ui/fields";
import { Listbox } from "../ui/Listbox";
import type { Refused } from "./rules";

interface Props {
  label: string;
  value: string;
  choices: Choice[];
  refused: Refused; // choices that cannot be taken now, and why
  hint?: string;
  onChange: (value: string) => void;
}

// A list that says which of its choices cannot be taken now, and why.
export function ChoiceField({ label, value, choices, refused, hint, onChange }: Props) {
  const wrong = refused[value];
  const off = choices.filter((choice) => choice.value in refused && choice.value !== value);
  const whys = [...new Set(off.map((choice) => refused[choice.value]!))];
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => (
        <>
          <Listbox id={id} value={value} choices={choices.map((choice) => ({ ...choice, disabled: choice.value in refused && choice.value !== value }))} invalid={wrong !== undefined} describedBy={`${id}-why`} onChange={onChange} />
          <div id={`${id}-why`} class="choice-why">
            {wrong && (
              <p class="choice-wrong">
                {nameOf(choices, value)} is not available: {wrong}.
              </p>
            )}
            {!wrong &&
              whys.map((why) => (
                <small key={why}>
                  Not available ({why}): {names(off.filter((choice) => refused[choice.value] === why))}.
                </small>
              ))}
          </div>
        </>
      )}
    </Field>
  );
}

const nameOf = (choices: Choice[], value: string): string => choices.find((choice) => choice.value === value)?.label ?? value;
const names = (choices: Choice[]): string => choices.map((choice) => choice.label.toLowerCase()).join(", ");
