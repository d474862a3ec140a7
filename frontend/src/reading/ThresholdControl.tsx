import { useId, useRef, useState } from "preact/hooks";
import { type Unit, useCursor, useThreshold } from "../cursor";
import { Field } from "../ui/fields";
import { type ReadingAnswer, thresholdNumber } from "./answers";

const STEPS = 1000;

// The shared threshold as a number and as a slider; dragging on a chart moves both.
export function ThresholdControl({ reading, unit }: { reading: ReadingAnswer; unit: Unit }) {
  const cursor = useCursor();
  const moved = useThreshold(unit);
  const threshold = moved ?? thresholdNumber(reading.threshold);
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null); // while it is being typed
  const again = useRef(false); // a key is held down
  const { low, high } = reading;
  if (low === null || high === null) return null;
  const place = threshold === null ? high : Math.min(high, Math.max(low, threshold));
  const shown = threshold === null || !Number.isFinite(threshold) ? "" : String(Number(threshold.toPrecision(6)));
  const typed = (text: string) => {
    setDraft(null);
    if (text !== shown) cursor.move(text === "" ? null : Number(text), true, { unit });
  };
  return (
    <div class="threshold-control">
      <Field label={reading.probability ? "Threshold" : `Threshold on ${reading.sort_by}`}>
        {(box) => <input id={box} type="number" step="any" value={draft ?? shown} placeholder={threshold === Infinity ? "∞" : ""} onInput={(event) => setDraft(event.currentTarget.value)} onBlur={() => setDraft(null)} onChange={(event) => typed(event.currentTarget.value)} />}
      </Field>
      <label class="visually-hidden" for={id}>
        Move the threshold
      </label>
      <input
        id={id}
        type="range"
        min={low}
        max={high}
        step={high > low ? (high - low) / STEPS : "any"}
        value={place}
        onPointerDown={() => (again.current = false)}
        onKeyDown={(event) => (again.current = event.repeat)}
        onInput={(event) => cursor.move(event.currentTarget.valueAsNumber, false, { unit })}
        onChange={(event) => cursor.move(event.currentTarget.valueAsNumber, true, { unit, again: again.current })}
      />
    </div>
  );
}
