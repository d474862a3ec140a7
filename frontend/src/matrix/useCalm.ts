import { useEffect, useRef, useState } from "preact/hooks";

// A value that changes at most once in a while: the first change at once, the last one never lost.
export function useCalm<Value>(value: Value, milliseconds: number): Value {
  const [calm, setCalm] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const left = last.current + milliseconds - performance.now();
    const take = () => {
      last.current = performance.now();
      setCalm(() => value);
    };
    if (left <= 0) {
      take();
      return undefined;
    }
    const timer = setTimeout(take, left);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return calm;
}
