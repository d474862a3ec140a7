// A chart: the lines on a canvas; axes, marks and names as text above it; a legend and a table below.
import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Axes, Grid, type Inks } from "./Axes";
import { Handles, Stretch } from "./Between";
import { brushed, middleHalf, overBoth } from "./brush";
import { ChartTools, widthOf, ZoomRectangle, ZoomWords } from "./ChartTools";
import { described } from "./describe";
import type { Frame } from "./frame";
import { Legend } from "./Legend";
import { EndNames, Marks, Regions } from "./Marks";
import { Overlay } from "./Overlay";
import { fitted, inkOf, paint } from "./paint";
import { type Picture, pictureOf } from "./picture";
import { TableBelow } from "./TableBelow";
import type { Held } from "./pointing";
import type { ChartProps, Series } from "./types";
import { useFullScreen } from "./useFullScreen";
import { useTheme, useWidth } from "./useWidth";
import { useZoom } from "./useZoom";

const BESIDE = 170; // pixels beside the plot that are enough for the legend
const NONE: ReadonlySet<string> = new Set();

export function Chart(props: ChartProps) {
  const { label, x, y, right, square, column, marks = [], cursor = false, brush, table = true, tools = table } = props;
  const [host, width] = useWidth();
  const [hidden, setHidden] = useState(NONE);
  const [lit, setLit] = useState<string | null>(null);
  const series = useSame(props.series);
  const screen = useFullScreen(host);
  const height = screen.height ?? props.height;
  const axes = JSON.stringify([x, y, right, square, column]);
  const zoom = useZoom(axes);
  const memory = useRef<Held>({ active: null, dragging: false, stands: null });
  const picture = useMemo(() => (width > 0 ? pictureOf({ series, x, y, right, square, column, height, width, tools, range: zoom.range }) : null), [series, axes, width, height, tools, zoom.range]);
  const between = props.between ?? (brush?.range ? { low: brush.range[0], high: brush.range[1], onMove: (low: number, high: number) => brush.onRange([low, high]) } : undefined);
  const selecting = brush && picture ? { plain: !cursor, both: overBoth(picture), onSelect: (from: readonly [number, number], to: readonly [number, number]) => brush.onRange(brushed(picture, hidden, from, to)) } : null;
  const begin = () => {
    brush!.onRange(brush!.range ?? brush!.usual?.() ?? middleHalf(picture!));
    requestAnimationFrame(() => host.current?.querySelector<HTMLElement>(".chart-handle")?.focus());
  };
  const named = series.filter((one) => !one.guide);
  const legend = props.legend ?? named.length > 1;
  const id = useId();
  const toggle = (name: string) => setHidden((before) => toggled(before, name));
  const beside = picture !== null && width - picture.frame.width > BESIDE;
  const words = useMemo(() => described({ series, x, y, right }), [series, axes]);
  return (
    <div class={`chart${beside ? " beside" : ""}${screen.full ? " full" : ""}`} ref={host}>
      {picture && (
        <div class={zoom.armed ? "chart-stage zooming" : selecting?.plain ? "chart-stage selecting" : "chart-stage"} style={{ width: `${picture.frame.width}px`, height: `${picture.frame.height}px` }} {...(tools ? zoom.heard(picture.frame, () => memory.current.stands, selecting) : {})}>
          <svg class="chart-layer" width={picture.frame.width} height={picture.frame.height} aria-hidden="true">
            <Grid frame={picture.frame} />
            <Regions frame={picture.frame} marks={marks} />
            {between && <Stretch picture={picture} hidden={hidden} range={between} />}
          </svg>
          <Painted picture={picture} hidden={hidden} lit={lit} label={label} describedBy={`${id}-words`} />
          <svg class="chart-layer" width={picture.frame.width} height={picture.frame.height} aria-hidden="true">
            <Axes frame={picture.frame} x={x} y={y} right={right} taken={tools ? widthOf(zoom, brush) : 0} inks={inksOf(picture)} />
            <Marks picture={picture} marks={marks} hidden={hidden} />
            <EndNames picture={picture} hidden={hidden} />
            {picture.empty && <Nothing frame={picture.frame} />}
            {zoom.rectangle && <ZoomRectangle rectangle={zoom.rectangle} />}
          </svg>
          <Overlay memory={memory} picture={picture} hidden={hidden} cursor={cursor} usual={props.usual} unit={props.unit ?? null} label={label} x={x} y={y} right={right} />
          {between && <Handles picture={picture} hidden={hidden} range={between} x={x} />}
          {tools && <ChartTools zoom={zoom} full={screen.full} onFull={screen.toggle} brush={brush} onBegin={begin} />}
          {tools && <ZoomWords range={zoom.range} frame={picture.frame} x={x} y={y} />}
        </div>
      )}
      {legend && picture && named.length > 0 && <Legend drawn={picture.drawn} hidden={hidden} onToggle={toggle} onLight={setLit} />}
      <p id={`${id}-words`} class="chart-words">
        {words}
      </p>
      {table && <TableBelow label={label} series={series} x={x} y={y} right={right} />}
    </div>
  );
}

// Beside a second y an axis has the ink of its line, where that is one.
function inksOf({ drawn, frame }: Picture): Inks {
  const only = (axis: "left" | "right"): string | undefined => {
    const inks = new Set(drawn.filter(({ series }) => !series.guide && (series.axis ?? "left") === axis).map((one) => one.look.ink));
    return frame.right2 && inks.size === 1 ? [...inks][0] : undefined;
  };
  return { left: only("left"), right: only("right") };
}

function Nothing({ frame }: { frame: Frame }) {
  return (
    <text class="chart-nothing" x={(frame.left + frame.right) / 2} y={(frame.top + frame.bottom) / 2} text-anchor="middle">
      No point to draw
    </text>
  );
}

interface PaintedProps {
  picture: Picture;
  hidden: ReadonlySet<string>;
  lit: string | null;
  label: string;
  describedBy: string;
}

function Painted({ picture, hidden, lit, label, describedBy }: PaintedProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const theme = useTheme(ref);
  const { width, height } = picture.frame;
  useLayoutEffect(() => {
    const canvas = ref.current!;
    const ctx = fitted(canvas, width, height);
    if (!ctx) return;
    paint(picture, { ctx, ink: inkOf(canvas), lit }, hidden);
    performance.mark("plumbline:drawn");
  }, [picture, hidden, lit, theme]);
  return <canvas ref={ref} class="chart-canvas" style={{ width: `${width}px`, height: `${height}px` }} role="img" aria-label={label} aria-describedby={describedBy} />;
}

function toggled(before: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}

// The same array as long as it holds the same data: rooms write `series={...}` anew at every turn.
function useSame(series: Series[]): Series[] {
  const held = useRef(series);
  const same = series.length === held.current.length && series.every((one, place) => alike(one, held.current[place]!));
  if (!same) held.current = series;
  return held.current;
}

function alike(one: Series, other: Series): boolean {
  if (one === other) return true;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Series>;
  for (const key of keys) {
    if (key === "path") {
      if (one.path?.x !== other.path?.x || one.path?.y !== other.path?.y) return false;
    } else if (one[key] !== other[key]) return false;
  }
  return true;
}
