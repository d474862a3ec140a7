// Rules, regions, segments and points that a room adds to its series, with their names.
import type { Frame } from "./frame";
import { textWidth } from "./frame";
import { Inside } from "./Inside";
import { staircase, stepSide } from "./geometry";
import { COLORS } from "./look";
import { nameOf } from "./ends";
import { type Box, coverage, LINE, placeEnds, placeLabels, type Wanted } from "./labels";
import type { Drawn, Picture } from "./picture";
import type { Mark } from "./types";

const held = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
const DENSE = 100;
const FAR = 1e4; // pixels out of sight that are as good as any farther
const across = (frame: Frame, value: number): number => held(frame.x.place(value), frame.left - FAR, frame.right + FAR);
const up = (frame: Frame, value: number): number => held(frame.y.place(value), frame.top - FAR, frame.bottom + FAR);
const inSight = ({ left, right, top, bottom }: Frame, x: number, y: number): boolean => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;

export function Regions({ frame, marks }: { frame: Frame; marks: readonly Mark[] }) {
  return (
    <g>
      {marks.map((mark, place) => {
        if (mark.kind !== "region") return null;
        const box = regionBox(frame, mark);
        return box && <rect key={place} class="chart-region" x={box.x} y={box.y} width={box.width} height={box.height} />;
      })}
    </g>
  );
}

// In the colour of the series that a mark is of.
const inked = (color: number | undefined) => (color === undefined ? {} : { style: { "--of": `var(--pl-line${(color % COLORS) + 1})` } });

function regionBox(frame: Frame, { axis, from, to }: Extract<Mark, { kind: "region" }>) {
  const [least, most] = axis === "x" ? [frame.left, frame.right] : [frame.top, frame.bottom];
  const [a, b] = axis === "x" ? [across(frame, from), across(frame, to)] : [up(frame, from), up(frame, to)];
  if (Math.max(a, b) < least || Math.min(a, b) > most) return null;
  const low = Math.max(least, Math.min(a, b));
  const wide = Math.max(2, Math.min(most, Math.max(a, b)) - low);
  return axis === "x" ? { x: low, y: frame.top, width: wide, height: frame.bottom - frame.top } : { x: frame.left, y: low, width: frame.right - frame.left, height: wide };
}

export function Marks({ picture, marks, hidden }: { picture: Picture; marks: readonly Mark[]; hidden: ReadonlySet<string> }) {
  const { frame } = picture;
  const { left, right, top, bottom } = frame;
  const wanted = [...marks.flatMap((mark) => wantedOf(mark, frame)), ...guideNames(picture, hidden)];
  const labels = placeLabels(wanted, { left: left + 2, top, width: right - left - 4, height: bottom - top }, wanted.length ? covered(picture, marks, hidden) : undefined);
  return (
    <g class="chart-marks">
      <Inside frame={frame}>
        {marks.map((mark, place) => (
          <Shape key={place} mark={mark} frame={frame} />
        ))}
      </Inside>
      {labels.map(({ text, box }, place) => (
        <text key={place} class="chart-name" x={box.left + 2} y={box.top + 11}>
          {text}
        </text>
      ))}
    </g>
  );
}

function covered({ drawn, frame }: Picture, marks: readonly Mark[], hidden: ReadonlySet<string>): (box: Box) => number {
  const lines = drawn.filter(({ series }) => !hidden.has(series.id) && series.style !== "points" && series.style !== "bars").map((one) => [one.lineX, one.lineY] as const);
  const segments = marks.flatMap((mark) => (mark.kind === "segment" ? [[Float32Array.from(mark.x, (x) => across(frame, x)), Float32Array.from(mark.y, (y) => up(frame, y))] as const] : []));
  const points = marks.flatMap((mark): [number, number][] => (mark.kind === "point" ? [[across(frame, mark.x), up(frame, mark.y)]] : []));
  return coverage([...lines, ...segments], points);
}

// The names of lines beside their ends; a thin line leads to a name that had to make room.
export function EndNames({ picture, hidden }: { picture: Picture; hidden: ReadonlySet<string> }) {
  const { frame } = picture;
  const ends = picture.ends.filter((end) => !hidden.has(end.id));
  const heights = placeEnds(ends.map((end) => end.y), frame.top + 4, frame.bottom - 4);
  return (
    <g class="chart-ends">
      {ends.map((end, place) => (
        <g key={end.id} style={{ "--of": `var(${end.ink})` }}>
          {Math.abs(heights[place]! - end.y) > 4 && <line x1={frame.right} x2={frame.right + 10} y1={end.y} y2={heights[place]!} />}
          <text x={frame.right + 12} y={heights[place]!} dy="0.35em">
            {nameOf(end)}
          </text>
        </g>
      ))}
    </g>
  );
}

function Shape({ mark, frame }: { mark: Mark; frame: Frame }) {
  const { left, right, top, bottom } = frame;
  if (mark.kind === "rule") {
    const at = Math.round(mark.axis === "x" ? frame.x.place(mark.at) : frame.y.place(mark.at)) + 0.5;
    const [low, high] = mark.axis === "x" ? [left, right] : [top, bottom];
    if (!(at >= low - 1 && at <= high + 1)) return null;
    return mark.axis === "x" ? <line class="chart-rule" x1={at} x2={at} y1={top} y2={bottom} /> : <line class="chart-rule" x1={left} x2={right} y1={at} y2={at} />;
  }
  if (mark.kind === "segment") {
    const [x, y] = [mark.x.map((value) => across(frame, value)), mark.y.map((value) => up(frame, value))];
    return <line class={`chart-segment ${mark.dash ?? "solid"}`} x1={x[0]} x2={x[1]} y1={y[0]} y2={y[1]} />;
  }
  if (mark.kind === "stretch") {
    const side = mark.step ? stepSide(mark.x) : null;
    const [px, py] = [Float32Array.from(mark.x, (x) => across(frame, x)), Float32Array.from(mark.y, (y) => up(frame, y))];
    const [xs, ys] = side ? staircase(px, py, side) : [px, py];
    const corners = Array.from(xs, (x, place) => `${x.toFixed(1)},${ys[place]!.toFixed(1)}`);
    return <polyline class="chart-stretch-of" {...inked(mark.color)} points={corners.join(" ")} />;
  }
  if (mark.kind === "point" && !Number.isNaN(mark.x + mark.y)) return <circle class="chart-point" cx={across(frame, mark.x)} cy={up(frame, mark.y)} r={5.5} />;
  return null;
}

function wantedOf(mark: Mark, frame: Frame): Wanted[] {
  if (!mark.label) return [];
  const width = textWidth(mark.label, 12) + 6;
  const { left, right, top, bottom } = frame;
  const want = (places: [number, number][]): Wanted[] => [{ text: mark.label!, width, places }];
  if (mark.kind === "point") {
    const [x, y] = [across(frame, mark.x), up(frame, mark.y)];
    if (!inSight(frame, x, y)) return [];
    return want([[x + 8, y - LINE / 2], [x + 8, y + 8], [x - 8 - width, y - LINE / 2], [x - width / 2, y - LINE - 8], [x - width / 2, y + 8], [x + 8, y - LINE - 8], [x - 8 - width, y + 8], [x - 8 - width, y - LINE - 8], [x - 8 - width, y + 8 + LINE], [x - 8 - width, y + 8 + 2 * LINE], [x - 8 - width, y + 8 + 4 * LINE], [x + 8, y + 8 + LINE], [x - width / 2, y + 8 + LINE], [x - width / 2, y + 8 + 2 * LINE]]);
  }
  if (mark.kind === "segment") {
    const [x, y] = [(across(frame, mark.x[0]) + across(frame, mark.x[1])) / 2, (up(frame, mark.y[0]) + up(frame, mark.y[1])) / 2];
    if (!inSight(frame, x, y)) return [];
    return want([[x + 6, y - LINE / 2], [x + 6, y - LINE - 4], [x - width - 6, y + 4], [x + 6, y + 10]]);
  }
  if (mark.kind === "stretch") {
    const middle = mark.x.length >> 1;
    const [x, y] = [across(frame, mark.x[middle]!), up(frame, mark.y[middle]!)];
    if (!inSight(frame, x, y)) return [];
    return want([[x + 10, y + 4], [x - width - 10, y - LINE - 4], [x + 10, y - LINE - 4], [x - width - 10, y + 6]]);
  }
  const box = mark.kind === "region" ? regionBox(frame, mark) : null;
  const at = mark.kind === "rule" ? (mark.axis === "x" ? across(frame, mark.at) : up(frame, mark.at)) : NaN;
  if (!box && !(mark.axis === "x" ? inSight(frame, at, top) : inSight(frame, left, at))) return [];
  if (mark.axis === "x") {
    const x = box ? box.x + box.width / 2 - width / 2 : at + 3;
    const rows = [0, 1, 2, 3, 4].map((row): [number, number] => [x, top + 2 + row * LINE]);
    return want(box ? [[x, bottom - 2 - LINE], ...rows] : rows); // a region is often below a peak
  }
  const y = box ? box.y + 2 : at - LINE - 1;
  return want([[right - width - 4, y], [left + 4, y], [right - width - 4, Math.min(bottom - LINE, y + LINE + 2)], [(left + right) / 2, y]]);
}

// A reference line is named where it has room: near its end, its middle or its beginning.
function guideNames({ drawn, frame }: Picture, hidden: ReadonlySet<string>): Wanted[] {
  return drawn.flatMap((one) => {
    if (!one.series.guide || !one.series.name || hidden.has(one.series.id)) return [];
    const width = textWidth(one.series.name, 12) + 6;
    const inside = densely(one).filter(([x, y]) => inSight(frame, x, y));
    if (!inside.length) return [];
    const [first, last] = [inside[0]!, inside[inside.length - 1]!];
    const between = (share: number): [number, number] => (inside.length > 2 ? inside[Math.round(share * (inside.length - 1))]! : [first[0] + share * (last[0] - first[0]), first[1] + share * (last[1] - first[1])]);
    const places = [0.86, 0.6, 0.35, 0.1].map(between).flatMap(([x, y]): [number, number][] => [[x - width / 2, y + 6], [x - width / 2, y - LINE - 4]]);
    return [{ text: one.series.name, width, places }];
  });
}

// The points of a line; of one between two points, enough of them to find those in sight.
function densely({ px, py }: Drawn): [number, number][] {
  if (px.length !== 2) return Array.from(px, (x, i) => [x, py[i]!]);
  return Array.from({ length: DENSE + 1 }, (_, i) => [px[0]! + (i / DENSE) * (px[1]! - px[0]!), py[0]! + (i / DENSE) * (py[1]! - py[0]!)]);
}
