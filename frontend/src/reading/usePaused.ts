import { useEffect, useState } from "preact/hooks";
import { useCursor } from "../cursor";

// The threshold where it has stood for a moment: what takes an answer from the server follows it.
export function usePausedThreshold(pause: number): number | null {
  const cursor = useCursor();
  const [threshold, setThreshold] = useState(cursor.threshold);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setThreshold(cursor.threshold), pause);
    };
    later();
    const leave = cursor.subscribe(later);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [cursor, pause]);
  return threshold;
}
