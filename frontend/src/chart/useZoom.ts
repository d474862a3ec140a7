// Zooming a chart: a rectangle, the wheel with Ctrl, and keys. It is the eye that moves: no part of the
// state, and nothing to undo.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Frame } from "./frame";
import { type PlotRange, rangeAbout, rangeMoved, rangeWithin } from "./zoom";

type Spot = readonly [number, number];

export type Drag = "zoom" | "select";

// What a selecting drag is told to; `plain` where no other drag is meant.
export interface Selecting {
  plain: boolean;
  both: boolean; // a rectangle, not only a range of x
  onSelect: (from: Spot, to: Spot) => void;
}

export interface Rectangle {
  from: Spot;
  to: Spot;
}

export interface Zoom {
  range: PlotRange | null;
  armed: Drag | null; // what the next drag does
  rectangle: Rectangle | null;
  arm: (armed: Drag | null) => void;
  reset: () => void;
  heard: (frame: Frame, stands: () => Spot | null, selecting: Selecting | null) => Record<string, (event: Event) => void>; // by the stage
}

const STEP = 2; // of a key
const MOVES: Record<string, Spot> = { ArrowLeft: [-0.25, 0], ArrowRight: [0.25, 0], ArrowDown: [0, -0.25], ArrowUp: [0, 0.25] };

export function useZoom(axes: string): Zoom {
  const [range, setRange] = useState<PlotRange | null>(null);
  const [armed, arm] = useState<Drag | null>(null);
  const drag = useRef<Drag>("zoom");
  const [rectangle, setRectangle] = useState<Rectangle | null>(null);
  const drawing = useRef<Rectangle | null>(null);
  const reset = () => setRange(null);
  useEffect(reset, [axes]);

  const draw = (to: Rectangle | null) => setRectangle((drawing.current = to));
  const end = (frame: Frame, selecting: Selecting | null) => {
    const drawn = drawing.current;
    draw(null);
    if (drawn && drag.current === "select") {
      arm(null);
      selecting?.onSelect(drawn.from, drawn.to);
      return;
    }
    const to = drawn && rangeWithin(frame, drawn.from, drawn.to);
    if (!to) return;
    setRange(to);
    arm(null);
  };

  const heard: Zoom["heard"] = (frame, stands, selecting) => {
    const middle: Spot = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
    const onPlot = (event: Event) => (event.target as Element).classList.contains("chart-plot");
    const spot = (event: MouseEvent): Spot => {
      const box = (event.currentTarget as Element).getBoundingClientRect();
      return [Math.min(frame.right, Math.max(frame.left, event.clientX - box.left)), Math.min(frame.bottom, Math.max(frame.top, event.clientY - box.top))];
    };
    const within = ([x, y]: Spot, first: boolean): Spot => (drag.current === "select" && !selecting?.both ? [x, first ? frame.top : frame.bottom] : [x, y]);
    const taken = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    return {
      onPointerDownCapture: (event) => {
        const press = event as PointerEvent;
        const meant = press.shiftKey ? "zoom" : (armed ?? (selecting?.plain ? "select" : null));
        if (!onPlot(press) || press.button !== 0 || meant === null) return;
        taken(press);
        drag.current = meant;
        (press.currentTarget as Element).setPointerCapture(press.pointerId);
        const at = spot(press);
        draw({ from: within(at, true), to: within(at, false) });
      },
      onPointerMoveCapture: (event) => {
        if (!drawing.current) return;
        event.stopPropagation();
        draw({ from: drawing.current.from, to: within(spot(event as PointerEvent), false) });
      },
      onPointerUpCapture: (event) => {
        if (!drawing.current) return;
        event.stopPropagation();
        end(frame, selecting);
      },
      onPointerCancel: () => draw(null),
      onDblClick: (event) => onPlot(event) && reset(),
      onWheel: (event) => {
        const wheel = event as WheelEvent;
        if (!wheel.ctrlKey || !onPlot(wheel)) return;
        wheel.preventDefault();
        setRange(rangeAbout(frame, Math.exp(-wheel.deltaY / 300), spot(wheel)));
      },
      onKeyDownCapture: (event) => {
        const press = event as KeyboardEvent;
        if (press.ctrlKey || press.altKey || press.metaKey) return;
        const move = press.shiftKey && range ? MOVES[press.key] : undefined;
        if (press.key === "+" || press.key === "=") setRange(rangeAbout(frame, STEP, stands() ?? middle));
        else if (press.key === "-") setRange(rangeAbout(frame, 1 / STEP, stands() ?? middle));
        else if (press.key === "0" && range) reset();
        else if (move) setRange(rangeMoved(frame, ...move));
        else if (press.key === "Escape" && (armed || drawing.current)) {
          arm(null);
          draw(null);
        } else return;
        taken(press);
      },
    };
  };
  return { range, armed, rectangle, arm, reset, heard };
}
