import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

// How wide an element is, followed as it changes; 0 before it is known. With `step` the width is
// rounded up, so that a question that asks for as many points is not asked anew at every pixel.
export function useWidth<Kind extends HTMLElement = HTMLDivElement>(step = 1): [RefObject<Kind>, number] {
  const ref = useRef<Kind>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const look = () => setWidth(Math.ceil(element.clientWidth / step) * step);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [step]);
  return [ref, width];
}

// A count that grows when colours or the density of pixels change: whatever is painted depends on it.
export function useTheme(ref: RefObject<Element>): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const root = ref.current?.closest(".plumbline");
    const look = () => setCount((seen) => seen + 1);
    const observer = new MutationObserver(look);
    if (root) observer.observe(root, { attributes: true, attributeFilter: ["data-theme", "class"] });
    const queries = ["(prefers-color-scheme: dark)", `(resolution: ${globalThis.devicePixelRatio || 1}dppx)`].map((text) => matchMedia(text));
    for (const query of queries) query.addEventListener("change", look);
    return () => {
      observer.disconnect();
      for (const query of queries) query.removeEventListener("change", look);
    };
  }, [ref, count]);
  return count;
}
