import { useId } from "preact/hooks";
import type { ColumnsAnswer } from "../host";

interface Props {
  readings: ColumnsAnswer["readings"];
  chosen: number | null;
  onChoose: (place: number) => void;
}

// Where a table can be read in several ways: each fills in the form.
export function ReadingsChoice({ readings, chosen, onChoose }: Props) {
  const group = useId();
  if (!readings.length) return null;
  return (
    <fieldset class="positive readings">
      <legend>Which reading is right?</legend>
      {readings.map(({ text }, place) => (
        <label class="check" key={text}>
          <input type="radio" name={group} checked={place === chosen} onChange={() => onChoose(place)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
