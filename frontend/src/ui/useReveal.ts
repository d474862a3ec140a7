// Answers that stand elsewhere than the button that asked for them are brought into sight.
import { useLayoutEffect, useRef } from "preact/hooks";

const PATIENCE = 10_000; // milliseconds that an answer may take to grow to its size
const HANDS = ["wheel", "touchstart", "keydown", "pointerdown"]; // whoever moves the page leads it

let awaited: string | null = null;

// Keeps an element in sight while its answer arrives, until somebody moves the page.
function reveal(element: HTMLElement): void {
  const observer = new ResizeObserver(() => element.scrollIntoView({ block: "nearest" }));
  const stop = () => {
    observer.disconnect();
    for (const name of HANDS) window.removeEventListener(name, stop, true);
  };
  observer.observe(element);
  setTimeout(() => HANDS.forEach((name) => window.addEventListener(name, stop, true)), 0); // after the press that asked
  setTimeout(stop, PATIENCE);
}

// An element, and what a button elsewhere calls to bring it into sight.
export function useReveal(): { ref: { current: HTMLDivElement | null }; show: () => void } {
  const ref = useRef<HTMLDivElement>(null);
  return { ref, show: () => void (ref.current && reveal(ref.current)) };
}

// The next element of this name that appears, in another room, comes into sight.
export const revealNext = (name: string | null): void => void (awaited = name);

export function useAwaited(name: string): { current: HTMLDivElement | null } {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (awaited !== name || !ref.current) return;
    awaited = null;
    reveal(ref.current);
  }, [name]);
  return ref;
}
