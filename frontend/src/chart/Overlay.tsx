import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Unit, useCursor } from "../cursor";
import type { Picture } from "./picture";
import { type Held, Pointing } from "./pointing";
import type { Titles } from "./words";

export interface OverlayProps extends Titles {
  memory: { current: Held };
  picture: Picture;
  hidden: ReadonlySet<string>;
  cursor: boolean;
  usual?: number | undefined;
  unit: Unit;
  label: string;
}

// Over the plot: what the pointer is near, and the shared threshold where the chart shows it.
export function Overlay({ memory, picture, hidden, cursor, usual, unit, label, x, y, right }: OverlayProps) {
  const every = useCursor();
  const shared = useMemo(() => every?.on(unit) ?? null, [every, unit]);
  const [plot, marks, readout, hover] = [useRef<HTMLDivElement>(null), useRef<SVGGElement>(null), useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const pointing = useRef<Pointing | null>(null);
  const standing = useRef<number | null>(null);
  standing.current = usual ?? null;
  const titles = useRef<Titles>({ x, y, right });
  titles.current = { x, y, right };
  const slides = cursor && shared !== null && picture.drawn.some((one) => one.grip && !hidden.has(one.series.id));
  useLayoutEffect(() => {
    const parts = { plot: plot.current!, marks: marks.current!, readout: readout.current!, hover: hover.current! };
    const made = new Pointing(parts, { picture, hidden, usual: () => standing.current, titles: titles.current }, slides ? shared : null, memory.current);
    pointing.current = made;
    return () => made.stop();
  }, [picture, hidden, shared, slides]);
  useLayoutEffect(() => pointing.current?.show(), [usual]);
  const { frame } = picture;
  const place = { left: `${frame.left}px`, top: `${frame.top}px`, width: `${frame.right - frame.left}px`, height: `${frame.bottom - frame.top}px` };
  const slider = slides ? { role: "slider" as const, tabIndex: 0, "aria-label": `Threshold on ${label}` } : { "aria-hidden": true as const };
  return (
    <>
      <svg class="chart-layer" width={frame.width} height={frame.height} aria-hidden="true">
        <g ref={marks} />
      </svg>
      <div key={slides ? "slider" : "plain"} ref={plot} class={slides ? "chart-plot slides" : "chart-plot"} style={place} {...slider} />
      <div ref={readout} class="chart-readout standing" aria-hidden="true" hidden />
      <div ref={hover} class="chart-readout" aria-hidden="true" hidden />
    </>
  );
}
