import type { About } from "../answers";
import { useCursor, useThreshold } from "../cursor";
import { usePart } from "../store";
import { Field, NumberField } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { targetOf } from "./questions";

const STEPS = 1000;

// The threshold that all charts share, as a slider and a number; none: the answers as they were given.
export function ThresholdBar({ about, range, usual }: { about: About; range: { low: number; high: number } | null; usual: number | null }) {
  const data = usePart((state) => state.data);
  const matrix = usePart((state) => state.matrix);
  const asked = useThreshold();
  const threshold = asked ?? usual; // ratings without one are parted in their middle
  const cursor = useCursor();
  const target = targetOf({ data, matrix }, about);
  if (about.k > 2 && target === null) {
    return <Hint>The predicted class is the most probable one, or the column “predicted”. For a threshold, choose one class under Classes.</Hint>;
  }
  if (!about.has_prob && !about.has_score) return <Hint>The table holds predicted classes without ratings, so there is no threshold.</Hint>;
  const positive = target ?? data.target ?? about.positive;
  const what = about.has_prob ? `probability of ${positive}` : `rating of ${positive}`;
  const [low, high] = range ? [range.low, range.high] : [0, 1];
  const at = threshold === null ? (low + high) / 2 : Math.min(high, Math.max(low, threshold));
  const move = (text: string, done: boolean) => {
    const value = Number(text);
    if (text !== "" && !Number.isNaN(value)) cursor.move(value, done);
  };
  return (
    <div class="threshold-bar">
      <Field label="Threshold" hint={`Predicted ${positive} if the ${what} is at least this.`}>
        {(id) => (
          <input
            id={id}
            type="range"
            min={low}
            max={high}
            step={(high - low) / STEPS || "any"}
            value={at}
            aria-valuetext={threshold === null ? "none: predicted classes of the table" : String(threshold)}
            onInput={(event) => move(event.currentTarget.value, false)}
            onChange={(event) => move(event.currentTarget.value, true)}
          />
        )}
      </Field>
      <NumberField label="Threshold as a number" value={Number.isFinite(threshold) ? threshold : null} placeholder="as predicted" onChange={(value) => cursor.move(value, true)} />
      <button disabled={asked === null} onClick={() => cursor.move(null, true)}>
        {usual === null ? "Use the predicted classes" : "Use the middle rating"}
      </button>
    </div>
  );
}
