import { Field, type Choice } from "../ui/fields";
import type { Refused } from "./rules";

interface Props {
  label: string;
  value: string;
  choices: Choice[];
  refused: Refused; // choices that cannot be taken now, and why
  hint?: string;
  onChange: (value: string) => void;
}

// A select that says which of its choices cannot be taken now, and why.
export function ChoiceField({ label, value, choices, refused, hint, onChange }: Props) {
  const wrong = refused[value];
  const off = choices.filter((choice) => choice.value in refused && choice.value !== value);
  const whys = [...new Set(off.map((choice) => refused[choice.value]!))];
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => (
        <>
          <select id={id} value={value} aria-invalid={wrong ? true : undefined} aria-describedby={`${id}-why`} onChange={(event) => onChange(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value} disabled={choice.value in refused && choice.value !== value}>
                {choice.label}
              </option>
            ))}
          </select>
          <div id={`${id}-why`} class="choice-why">
            {wrong && (
              <p class="choice-wrong">
                {nameOf(choices, value)} is not available: {wrong}.
              </p>
            )}
            {!wrong &&
              whys.map((why) => (
                <small key={why}>
                  Without {names(off.filter((choice) => refused[choice.value] === why))}: {why}.
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
