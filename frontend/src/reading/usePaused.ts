import { useEffect, useState } from "preact/hooks";
import { type Unit, useCursor } from "../cursor";

// The threshold where it has stood for a moment: what takes an answer from the server follows it.
export function usePausedThreshold(pause: number, unit: Unit): number | null {
  const cursor = useCursor();
  const [stood, setStood] = useState({ unit, threshold: cursor.at(unit) });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setStood({ unit, threshold: cursor.at(unit) }), pause);
    };
    later();
    const leave = cursor.subscribe(later);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [cursor, pause, unit]);
  return stood.unit === unit ? stood.threshold : cursor.at(unit);
}
