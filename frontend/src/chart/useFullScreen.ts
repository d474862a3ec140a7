import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

const AROUND = 150; // pixels for the legend and the edge

export interface FullScreen {
  full: boolean;
  height: number | undefined; // of the chart that fills the screen
  toggle: () => void;
}

// A chart over everything: the browser's full screen, or over the whole page where that is refused (in notebooks).
export function useFullScreen(element: RefObject<HTMLElement>): FullScreen {
  const [full, setFull] = useState(false);
  useEffect(() => {
    if (!full) return undefined;
    const changed = () => document.fullscreenElement ?? setFull(false);
    const key = (event: KeyboardEvent) => event.key === "Escape" && !event.defaultPrevented && setFull(false);
    document.addEventListener("fullscreenchange", changed);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      document.removeEventListener("keydown", key);
    };
  }, [full]);
  const toggle = () => {
    if (full && document.fullscreenElement) void document.exitFullscreen();
    else if (!full) element.current?.requestFullscreen?.().catch(() => undefined);
    setFull(!full);
  };
  return { full, height: full ? Math.max(240, globalThis.innerHeight - AROUND) : undefined, toggle };
}
