import { useEffect, useState } from "preact/hooks";

// Shown from 300 ms on, so that what is fast does not flicker.
export function Waiting({ what, progress, cancel }: { what: string; progress?: number | null; cancel?: () => void }) {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!seen) return null;
  return (
    <div class="waiting" role="status">
      <span>{what} …</span>
      <progress aria-label={what} {...(progress === null || progress === undefined ? {} : { value: progress, max: 1 })} />
      {cancel && <button onClick={cancel}>Cancel</button>}
    </div>
  );
}
