// Two handles, and what lies between them: a stretch of every line, or of the horizontal axis.
import { useRef } from "preact/hooks";
import { numberText, plainNumber, timeText } from "../ui/format";
import { Inside } from "./Inside";
import type { Drawn, Picture } from "./picture";
import { heldRung, nearest, rungBeside } from "./search";
import type { Axis, ChartProps } from "./types";

type Range = NonNullable<ChartProps["between"]>;
type End = "low" | "high";
const SIZE = 24; // pixels of a handle, enough for a finger

const gripped = (picture: Picture, hidden: ReadonlySet<string>): Drawn[] => picture.drawn.filter((one) => one.grip && !hidden.has(one.series.id));

export function Stretch({ picture, hidden, range }: { picture: Picture; hidden: ReadonlySet<string>; range: Range }) {
  const { frame, swept } = picture;
  const lines = gripped(picture, hidden);
  if (swept || !lines.length) {
    const [a, b] = [range.low, range.high].map((end) => Math.min(frame.right, Math.max(frame.left, frame.x.place(end)))) as [number, number];
    return <rect class="chart-stretch" x={Math.min(a, b)} y={frame.top} width={Math.max(1, Math.abs(b - a))} height={frame.bottom - frame.top} />;
  }
  return (
    <Inside frame={frame}>
      {lines.map((one) => (
        <path key={one.series.id} class="chart-stretch-line" d={stretchOf(one, range)} />
      ))}
    </Inside>
  );
}

function stretchOf(one: Drawn, { low, high }: Range): string {
  const threshold = one.series.threshold!;
  const [from, to] = [heldRung(threshold, one.ladder, high), heldRung(threshold, one.ladder, low)];
  const corners = Array.from(one.ladder.subarray(from, to + 1), (place) => [one.px[place]!, one.py[place]!]).filter(([x, y]) => !Number.isNaN(x! + y!));
  return corners.length ? `M${corners.map(([x, y]) => `${x!.toFixed(1)},${y!.toFixed(1)}`).join("L")}` : "";
}

export function Handles({ picture, hidden, range, x }: { picture: Picture; hidden: ReadonlySet<string>; range: Range; x: Axis }) {
  const one = gripped(picture, hidden).find((each) => !each.series.muted) ?? null;
  return (
    <>
      {(["low", "high"] as const).map((end) => (
        <Handle key={end} end={end} picture={picture} one={one} range={range} unit={one ? "threshold" : x.title} dates={!one && x.dates === true} />
      ))}
    </>
  );
}

interface HandleProps {
  end: End;
  picture: Picture;
  one: Drawn | null; // the series whose points the handles stand on
  range: Range;
  unit: string;
  dates: boolean;
}

function Handle({ end, picture, one, range, unit, dates }: HandleProps) {
  const dragging = useRef(false);
  const waiting = useRef(0);
  const latest = useRef({ picture, one, range });
  latest.current = { picture, one, range };
  const send = (value: number, done: boolean, again = false) => {
    const { low, high, onMove } = latest.current.range;
    if (end === "low") onMove(Math.min(value, high), high, done, again);
    else onMove(low, Math.max(value, low), done, again);
  };
  const follow = (event: PointerEvent, done: boolean) => {
    const host = (event.currentTarget as HTMLElement).parentElement!.getBoundingClientRect();
    const [x, y] = [event.clientX - host.left, event.clientY - host.top];
    cancelAnimationFrame(waiting.current);
    const go = () => send(valueAt(latest.current, x, y), done);
    if (done) go();
    else waiting.current = requestAnimationFrame(go);
  };
  const { frame } = picture;
  const value = range[end];
  const [x, y] = spotOf(picture, one, value);
  const values: Record<string, string> = {
    "aria-valuenow": plainNumber(value),
    "aria-valuemin": plainNumber(end === "low" ? -Infinity : range.low),
    "aria-valuemax": plainNumber(end === "low" ? range.high : Infinity),
  };
  return (
    <div
      class={`chart-handle ${end}`}
      role="slider"
      tabIndex={0}
      aria-label={end === "low" ? `Lower ${unit}` : `Upper ${unit}`}
      aria-valuetext={`${unit} ${dates ? timeText(value) : numberText(value, 3)}`}
      {...values}
      style={{ transform: `translate(${x - SIZE / 2}px, ${y - SIZE / 2}px)`, visibility: x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom ? "visible" : "hidden" }}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => dragging.current && follow(event, false)}
      onPointerUp={(event) => {
        if (dragging.current) follow(event, true);
        dragging.current = false;
      }}
      onKeyDown={(event) => {
        const to = keyed(latest.current, end, event.key);
        if (to === null) return;
        event.preventDefault();
        send(to, true, event.repeat);
      }}
    />
  );
}

type Scene = Pick<HandleProps, "picture" | "one" | "range">;

function spotOf({ frame, swept }: Picture, one: Drawn | null, value: number): [number, number] {
  const middle = (frame.top + frame.bottom) / 2;
  if (swept || !one) return [Math.min(frame.right, Math.max(frame.left, frame.x.place(value))), middle];
  const place = one.ladder[heldRung(one.series.threshold!, one.ladder, value)]!;
  return [one.px[place]!, one.py[place]!];
}

function valueAt({ picture, one }: Scene, x: number, y: number): number {
  const found = one && nearest([one.grip], x, y, picture.swept);
  return found ? one!.series.threshold![found.point]! : picture.frame.x.value(x);
}

// Where a key leads: up to greater values.
function keyed({ picture, one, range }: Scene, end: End, key: string): number | null {
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[key];
  if (steps === undefined) return null;
  const { extent } = picture.frame.x;
  if (!one) return Math.min(extent.high, Math.max(extent.low, range[end] + (steps * (extent.high - extent.low)) / 100));
  const { ladder, series } = one;
  if (!Number.isFinite(steps)) return series.threshold![ladder[steps < 0 ? ladder.length - 1 : 0]!]!;
  return series.threshold![ladder[rungBeside(series.threshold!, ladder, heldRung(series.threshold!, ladder, range[end]), -steps)]!]!;
}
