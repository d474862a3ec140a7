import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Frame } from "./frame";

const EDGE = 7; // pixels by which a point on the edge may stand out

// Shapes of which only what is inside the plot is seen.
export function Inside({ frame, children }: { frame: Frame; children: ComponentChildren }) {
  const id = useId();
  const { left, right, top, bottom } = frame;
  return (
    <g clip-path={`url(#${id})`}>
      <clipPath id={id}>
        <rect x={left - EDGE} y={top - EDGE} width={right - left + 2 * EDGE} height={bottom - top + 2 * EDGE} />
      </clipPath>
      {children}
    </g>
  );
}
