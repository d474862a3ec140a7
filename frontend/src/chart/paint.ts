// Painting series on a canvas.
import { along, runs } from "./geometry";
import { corners, type Marker } from "./look";
import type { Drawn, Picture } from "./picture";

export type Ink = (variable: string) => string;
const FEW = 25; // points of a line that are marked one by one
const APART = 150; // pixels between markers of a longer line
const HATCH = 7; // pixels between the lines of a hatched bar
const DENSEST = 0.16; // of the height of the plot
const LARGEST = 11; // radius of the heaviest point

export interface Brush {
  ctx: CanvasRenderingContext2D;
  ink: Ink;
  lit: string | null; // the id of the series that stands out
}

// The colours as they are now where an element stands.
export function inkOf(element: Element): Ink {
  const style = getComputedStyle(element);
  const known = new Map<string, string>();
  return (variable) => {
    if (!known.has(variable)) known.set(variable, style.getPropertyValue(variable).trim() || "#888");
    return known.get(variable)!;
  };
}

// Fit a canvas to its size on the screen, in whole device pixels.
export function fitted(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== tall) [canvas.width, canvas.height] = [wide, tall];
  const ctx = canvas.getContext("2d");
  ctx?.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx?.clearRect(0, 0, width, height);
  return ctx;
}

export function paint(picture: Picture, brush: Brush, hidden: ReadonlySet<string>): void {
  const { ctx, lit } = brush;
  const { left, right, top, bottom } = picture.frame;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - 1, top - 1, right - left + 2, bottom - top + 2);
  ctx.clip();
  const shown = picture.drawn.filter((one) => !hidden.has(one.series.id));
  const behind = (one: Drawn) => Number(one.series.id === lit) * 8 + (one.series.guide ? 1 : one.series.style === "bars" ? 0 : one.series.muted ? 2 : 3);
  const ordered = shown.map((one, place) => ({ one, place })).sort((a, b) => behind(a.one) - behind(b.one) || b.place - a.place);
  for (const { one } of ordered) faded(brush, one, () => paintDensity(one, brush, picture));
  for (const { one } of ordered) faded(brush, one, () => paintSpread(one, brush));
  for (const { one } of ordered) faded(brush, one, () => paintSeries(one, brush, picture));
  ctx.restore();
}

// What does not stand out steps back while something does.
function faded({ ctx, lit }: Brush, one: Drawn, draw: () => void): void {
  ctx.globalAlpha = lit === null || one.series.id === lit || one.series.guide ? 1 : 0.18;
  draw();
  ctx.globalAlpha = 1;
}

function paintSeries(one: Drawn, brush: Brush, { several, crowd }: Picture): void {
  const style = one.series.style ?? "line";
  const { ctx, ink } = brush;
  ctx.strokeStyle = ctx.fillStyle = ink(one.look.ink);
  if (style === "bars") return paintBars(one, brush);
  if (style !== "points") {
    ctx.lineWidth = (crowd ? Math.min(1, one.look.width) : one.look.width) + (brush.lit === one.series.id ? 1 : 0);
    ctx.lineJoin = "round";
    ctx.setLineDash([...one.look.dash]);
    trace(ctx, one.lineX, one.lineY);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  if (style === "points" || style === "line+points") paintPoints(one, brush);
  else if (!one.series.guide && !one.series.muted && !one.series.thin && !(crowd && brush.lit !== one.series.id)) paintMarkers(one, brush, several);
}

function trace(ctx: CanvasRenderingContext2D, x: Float32Array, y: Float32Array): void {
  ctx.beginPath();
  let pen = false;
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [x[i]!, y[i]!];
    if (px !== px || py !== py) pen = false;
    else if (pen) ctx.lineTo(px, py);
    else {
      ctx.moveTo(px, py);
      pen = true;
    }
  }
}

// On every point of a few, else on one now and then, at other places for every series.
function paintMarkers(one: Drawn, { ctx, ink }: Brush, several: boolean): void {
  const few = one.px.length <= FEW && (!one.series.path || one.px.length === 1);
  if (!few && !several) return;
  const paper = ink("--paper");
  const first = 30 + 17 * (one.series.color % 8);
  const places = few ? Array.from(one.px, (x, i) => [x, one.py[i]!] as [number, number]) : along(one.lineX, one.lineY, first, APART);
  for (const [x, y] of places) mark(ctx, x, y, { marker: several ? one.look.marker : "circle", r: 3, fill: paper, edge: ink(one.look.ink) });
}

function paintPoints(one: Drawn, { ctx, ink }: Brush): void {
  const { px, py, series, look } = one;
  const color = ink(look.ink);
  const most = series.size ? series.size.reduce((a, b) => (b > a ? b : a), 0) : 0;
  const crowded = px.length > 400;
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * (series.size || crowded ? 0.65 : 1);
  for (let i = 0; i < px.length; i++) {
    if (px[i]! !== px[i]! || py[i]! !== py[i]!) continue;
    const r = series.size ? Math.max(1.5, LARGEST * Math.sqrt(series.size[i]! / (most || 1))) : crowded ? 1.4 : 3.6;
    if (crowded && !series.size) ctx.fillRect(px[i]! - r, py[i]! - r, 2 * r, 2 * r);
    else mark(ctx, px[i]!, py[i]!, { marker: series.size ? "circle" : look.marker, r, fill: color, edge: ink("--paper") });
  }
  ctx.globalAlpha = alpha;
}

function paintBars(one: Drawn, { ctx, ink }: Brush): void {
  const zero = one.y.place(one.y.extent.kind === "linear" ? Math.min(one.y.extent.high, Math.max(one.y.extent.low, 0)) : 0);
  const alpha = ctx.globalAlpha;
  for (let i = 0; i < one.px.length; i++) {
    const [from, to] = one.right ? [one.px[i]!, one.right[i]!] : [one.px[i]! - 5, one.px[i]! + 5];
    const [left, wide] = [Math.min(from, to), Math.max(1, Math.abs(to - from) - 1)];
    const floor = one.base ? one.base[i]! : zero;
    const [top, tall] = [Math.min(floor, one.py[i]!), Math.abs(floor - one.py[i]!)];
    if (!(wide > 0) || !(tall >= 0)) continue;
    ctx.globalAlpha = alpha * (one.series.muted ? 0.5 : one.base ? 0.85 : 0.75);
    ctx.fillStyle = ink(one.look.ink);
    ctx.fillRect(left, top, wide, tall);
    if (one.base) hatch(ctx, [left, top, wide, tall], { way: one.series.color, paper: ink("--paper") });
  }
  ctx.globalAlpha = alpha;
}

// Bars on each other differ by more than their colour: every second is hatched, one way or the other.
function hatch(ctx: CanvasRenderingContext2D, [left, top, wide, tall]: readonly [number, number, number, number], { way, paper }: { way: number; paper: string }): void {
  if (way % 2 === 0 || tall < 2) return;
  const slope = way % 4 === 1 ? 1 : -1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, wide, tall);
  ctx.clip();
  ctx.strokeStyle = paper;
  ctx.globalAlpha *= 0.7;
  ctx.lineWidth = 1;
  ctx.beginPath();
  const first = Math.floor((left - tall) / HATCH) * HATCH;
  for (let x = first; x < left + wide + tall; x += HATCH) {
    ctx.moveTo(x, top);
    ctx.lineTo(x + slope * tall, top + tall);
  }
  ctx.stroke();
  ctx.restore();
}

// Where the rows are that a smoothed line is made of: an area along the bottom, as high as it is dense.
function paintDensity(one: Drawn, { ctx, ink }: Brush, { frame }: Picture): void {
  const { density } = one.series;
  if (!density) return;
  const most = density.reduce((a, b) => (b > a ? b : a), 0) || 1;
  const heights = Float32Array.from(density, (rows) => frame.bottom - (DENSEST * (frame.bottom - frame.top) * rows) / most);
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * 0.22;
  ctx.fillStyle = ink(one.look.ink);
  for (const [start, end] of runs(one.px, heights)) {
    ctx.beginPath();
    ctx.moveTo(one.px[start]!, frame.bottom);
    for (let i = start; i < end; i++) ctx.lineTo(one.px[i]!, heights[i]!);
    ctx.lineTo(one.px[end - 1]!, frame.bottom);
    ctx.closePath();
    ctx.fill();
  }
  ctx.globalAlpha = alpha;
}

// Bands under lines; whiskers through points and bars.
function paintSpread(one: Drawn, { ctx, ink }: Brush): void {
  const { low, high, series } = one;
  if (!low || !high) return;
  ctx.strokeStyle = ctx.fillStyle = ink(one.look.ink);
  if (series.style === "points" || series.style === "bars") return paintWhiskers(one, ctx);
  const alpha = ctx.globalAlpha;
  ctx.globalAlpha = alpha * 0.18;
  for (const [start, end] of runs(one.bandX, low, high)) {
    ctx.beginPath();
    for (let i = start; i < end; i++) ctx.lineTo(one.bandX[i]!, high[i]!);
    for (let i = end - 1; i >= start; i--) ctx.lineTo(one.bandX[i]!, low[i]!);
    ctx.closePath();
    ctx.fill();
  }
  ctx.globalAlpha = alpha;
}

function paintWhiskers(one: Drawn, ctx: CanvasRenderingContext2D): void {
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  for (let i = 0; i < one.px.length; i++) {
    const x = one.right && one.series.style === "bars" ? (one.px[i]! + one.right[i]!) / 2 : one.px[i]!;
    const [low, high] = [one.low![i]!, one.high![i]!];
    if (!Number.isFinite(x + low + high)) continue;
    ctx.moveTo(x, low);
    ctx.lineTo(x, high);
    for (const end of [low, high]) {
      ctx.moveTo(x - 3, end);
      ctx.lineTo(x + 3, end);
    }
  }
  ctx.stroke();
}

interface Stamp {
  marker: Marker;
  r: number;
  fill: string;
  edge: string;
}

function mark(ctx: CanvasRenderingContext2D, x: number, y: number, { marker, r, fill, edge }: Stamp): void {
  ctx.beginPath();
  const points = corners(marker, r);
  if (!points) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else for (const [dx, dy] of points) ctx.lineTo(x + dx, y + dy);
  ctx.closePath();
  ctx.lineWidth = 1.2;
  ctx.fillStyle = fill;
  ctx.strokeStyle = edge;
  ctx.fill();
  ctx.stroke();
}

