import { useEffect, useState } from "preact/hooks";
import { percentText } from "./format";

// Shown from 300 ms on, so that what is fast does not flicker; a way out from the start.
export function Waiting({ what, progress, cancel }: { what: string; progress?: number | null; cancel?: () => void }) {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!seen) return null;
  const known = progress !== null && progress !== undefined;
  return (
    <div class="waiting">
      <span role="status">{what} …</span>
      <progress aria-label={what} {...(known ? { value: progress, max: 1 } : {})} />
      {known && <span>{percentText(progress)}</span>}
      {cancel && (
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
