// The pointer and the keyboard on a plot: the nearest point, and the threshold that all charts
// share. Written straight into the document, a frame at a time: no component is drawn anew.
import type { UnitCursor } from "../cursor";
import { numberText, plainNumber } from "../ui/format";
import type { Drawn, Picture } from "./picture";
import { barAt, heldRung, nearest, pointAt, rungBeside } from "./search";
import { linesOf, type Titles } from "./words";

const REACH = 60; // pixels from a point within which it answers to the pointer
const FAR = 10; // steps of PageUp and PageDown
const SVG = "http://www.w3.org/2000/svg";

export interface Parts {
  plot: HTMLElement; // over the plot: takes the pointer and the focus
  marks: SVGGElement;
  readout: HTMLElement;
  hover: HTMLElement;
}

export interface Scene {
  picture: Picture;
  hidden: ReadonlySet<string>;
  titles: Titles;
  usual: () => number | null; // the threshold as long as none was chosen
}

interface Spot {
  x: number;
  y: number;
}

// A bar is marked on its middle.
const middleOf = ({ px, right, series }: Drawn, place: number): number => (right && series.style === "bars" ? (px[place]! + right[place]!) / 2 : (px[place] ?? NaN));

// What outlives a picture that is drawn anew: the series that the keyboard walks along or the pointer
// drags, and whether it does.
export interface Held {
  active: string | null;
  dragging: boolean;
  stands: readonly [number, number] | null; // where the threshold is marked
}

export class Pointing {
  private readonly shown: Drawn[];
  private readonly gripped: Drawn[]; // those that have thresholds
  private readonly rings = new Map<Drawn, SVGCircleElement>();
  private readonly rule: SVGLineElement;
  private readonly ring: SVGCircleElement;
  private readonly stops: (() => void)[] = [];
  private dragged: Drawn | null = null;
  private pending: PointerEvent | null = null;
  private frame = 0;

  constructor(
    private readonly parts: Parts,
    private readonly scene: Scene,
    private readonly cursor: UnitCursor | null,
    private readonly memory: Held,
  ) {
    this.shown = scene.picture.drawn.filter((one) => !scene.hidden.has(one.series.id) && !one.series.guide);
    this.gripped = cursor ? this.shown.filter((one) => one.grip) : [];
    this.rule = this.added("line", "chart-cursor-rule");
    for (const one of this.gripped) this.rings.set(one, this.added("circle", scene.picture.crowd ? "chart-cursor small" : "chart-cursor", { r: scene.picture.crowd ? "3" : "5", style: `--at: var(${one.look.ink})` }));
    this.ring = this.added("circle", "chart-hover", { r: "6" });
    this.listen("pointerdown", (event) => this.press(event as PointerEvent));
    this.listen("pointermove", (event) => this.later(event as PointerEvent));
    this.listen("pointerup", (event) => this.release(event as PointerEvent));
    this.listen("pointercancel", (event) => this.release(event as PointerEvent));
    this.listen("pointerleave", () => this.leave());
    this.listen("keydown", (event) => this.key(event as KeyboardEvent));
    if (cursor) this.stops.push(cursor.subscribe(() => this.show()));
    if (memory.dragging) this.dragged = this.active ?? null;
    this.show();
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    for (const stop of this.stops) stop();
    this.parts.marks.replaceChildren();
    this.parts.readout.hidden = this.parts.hover.hidden = true;
  }

  private listen(name: string, heard: (event: Event) => void): void {
    this.parts.plot.addEventListener(name, heard);
    this.stops.push(() => this.parts.plot.removeEventListener(name, heard));
  }

  private added<Name extends "line" | "circle">(name: Name, className: string, attributes: Record<string, string> = {}): SVGElementTagNameMap[Name] {
    const element = document.createElementNS(SVG, name);
    element.setAttribute("class", className);
    const { style, ...plain } = attributes;
    for (const [key, value] of Object.entries(plain)) element.setAttribute(key, value);
    if (style) element.style.setProperty(...(style.split(": ") as [string, string]));
    element.setAttribute("visibility", "hidden");
    this.parts.marks.append(element);
    return element;
  }

  // ---------------------------------------------------------------- the threshold

  private get active(): Drawn | undefined {
    return this.gripped.find((one) => one.series.id === this.memory.active) ?? this.gripped.find((one) => !one.series.muted) ?? this.gripped[0];
  }

  private get threshold(): number | null {
    return this.cursor ? (this.cursor.threshold ?? this.scene.usual()) : null;
  }

  show(): void {
    const at = this.threshold;
    for (const [one, ring] of this.rings) this.stand(ring, at === null ? null : this.spotAt(one, this.placeAt(one, at), at));
    this.showRule(at);
    const active = this.active;
    this.memory.stands = null;
    if (!this.cursor || !active) return;
    const place = at === null ? -1 : this.placeAt(active, at);
    this.tell(active, place, at);
    const spot = this.spotOf(active, place);
    this.memory.stands = spot && [spot.x, spot.y];
    this.write(this.parts.readout, spot, spot ? this.named(active, place) : []);
  }

  private showRule(at: number | null): void {
    const { frame, swept } = this.scene.picture;
    const x = at === null || !swept ? NaN : frame.x.place(at);
    const inside = x >= frame.left && x <= frame.right;
    this.rule.setAttribute("visibility", inside ? "visible" : "hidden");
    if (!inside) return;
    for (const [key, value] of Object.entries({ x1: x, x2: x, y1: frame.top, y2: frame.bottom })) this.rule.setAttribute(key, String(value));
  }

  private placeAt(one: Drawn, threshold: number): number {
    return pointAt(one.series.threshold!, one.ladder, threshold, one.series.ends);
  }

  private spotOf(one: Drawn, place: number): Spot | null {
    const { frame } = this.scene.picture;
    const [x, y] = [middleOf(one, place), one.py[place] ?? NaN];
    return x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom ? { x, y } : null;
  }

  // On a line of steps over the threshold y lasts until the next point, so the marker is on the rule.
  private spotAt(one: Drawn, place: number, at: number): Spot | null {
    const spot = this.spotOf(one, place);
    const { frame, swept } = this.scene.picture;
    if (spot === null || !swept || one.series.style !== "step") return spot;
    return { x: Math.min(frame.right, Math.max(frame.left, frame.x.place(at))), y: spot.y };
  }

  private named(one: Drawn, place: number): string[] {
    const lines = linesOf(one, place, this.scene.titles);
    return this.shown.length > 1 ? [one.series.name, ...lines] : lines;
  }

  // What a screen reader hears.
  private tell(one: Drawn, place: number, at: number | null): void {
    const { plot } = this.parts;
    const { threshold } = one.series;
    const [most, least] = [one.ladder[0]!, one.ladder[one.ladder.length - 1]!].map((end) => threshold![end]!) as [number, number];
    plot.setAttribute("aria-valuemin", plainNumber(least));
    plot.setAttribute("aria-valuemax", plainNumber(most));
    plot.setAttribute("aria-valuenow", plainNumber(place < 0 ? Math.min(most, Math.max(least, at ?? least)) : threshold![place]!));
    plot.setAttribute("aria-valuetext", at === null ? "no threshold chosen" : place < 0 ? `undefined at threshold ${numberText(at, 3)}` : this.named(one, place).join(", "));
  }

  private move(one: Drawn, place: number, done: boolean, again = false): void {
    this.memory.active = one.series.id;
    const to = one.series.threshold![place]!;
    if (to === this.cursor!.threshold) this.show();
    this.cursor!.move(to, done, again);
  }

  private key(event: KeyboardEvent): void {
    const one = this.active;
    if (!this.cursor || !one || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = this.rungFor(event.key, one);
    if (to === null) return;
    event.preventDefault();
    this.move(one, one.ladder[to]!, true, event.repeat);
  }

  // Where a key leads: to the right and up, down the ladder where its points run to the right.
  private rungFor(key: string, one: Drawn): number | null {
    const { ladder, series, px } = one;
    const last = ladder.length - 1;
    const right = px[ladder[last]!]! >= px[ladder[0]!]! ? 1 : -1;
    const at = this.threshold;
    const steps = { ArrowRight: right, ArrowUp: right, ArrowLeft: -right, ArrowDown: -right, PageUp: FAR * right, PageDown: -FAR * right }[key];
    if (key === "Home") return right > 0 ? 0 : last;
    if (key === "End") return right > 0 ? last : 0;
    if (steps === undefined) return null;
    if (at === null) return last >> 1;
    return rungBeside(series.threshold!, ladder, heldRung(series.threshold!, ladder, at), steps);
  }

  // ---------------------------------------------------------------- the pointer

  private press(event: PointerEvent): void {
    if (!this.cursor || event.button !== 0 || !this.gripped.length) return;
    const found = nearest(this.gripped.map((one) => one.grip), ...this.spot(event), this.scene.picture.swept);
    if (!found) return;
    this.parts.plot.setPointerCapture(event.pointerId);
    this.dragged = this.gripped[found.series]!;
    this.memory.dragging = true;
    this.write(this.parts.hover, null, []);
    this.stand(this.ring, null);
    this.move(this.dragged, found.point, false);
  }

  private later(event: PointerEvent): void {
    this.pending = event;
    if (!this.frame) this.frame = requestAnimationFrame(() => this.follow());
  }

  private follow(): void {
    this.frame = 0;
    const event = this.pending;
    this.pending = null;
    if (!event) return;
    if (this.dragged) this.drag(event, false);
    else if (!event.buttons) this.point(event);
  }

  private drag(event: PointerEvent, done: boolean): void {
    const one = this.dragged!;
    const found = nearest([one.grip], ...this.spot(event), this.scene.picture.swept);
    if (found) this.move(one, found.point, done);
  }

  private release(event: PointerEvent): void {
    if (!this.dragged) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.pending = null;
    if (event.type === "pointercancel") this.cursor!.move(this.cursor!.threshold, true);
    else this.drag(event, true);
    this.dragged = null;
    this.memory.dragging = false;
  }

  private point(event: PointerEvent): void {
    const found = barAt(this.shown, ...this.spot(event)) ?? nearest(this.shown, ...this.spot(event), this.scene.picture.swept);
    const near = found && found.distance <= REACH ? found : null;
    const one = near ? this.shown[near.series]! : null;
    const spot = one ? this.spotOf(one, near!.point) : null;
    this.stand(this.ring, spot);
    this.write(this.parts.hover, spot, spot ? this.named(one!, near!.point) : []);
  }

  private leave(): void {
    this.pending = null;
    this.stand(this.ring, null);
    this.write(this.parts.hover, null, []);
  }

  private spot(event: PointerEvent): [number, number] {
    const box = this.parts.plot.getBoundingClientRect();
    const { left, top } = this.scene.picture.frame;
    return [event.clientX - box.left + left, event.clientY - box.top + top];
  }

  // ---------------------------------------------------------------- writing

  private stand(ring: SVGCircleElement, spot: Spot | null): void {
    ring.setAttribute("visibility", spot ? "visible" : "hidden");
    if (spot) ring.setAttribute("transform", `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})`);
  }

  private write(box: HTMLElement, spot: Spot | null, lines: readonly string[]): void {
    box.hidden = spot === null;
    if (!spot) return;
    const { frame } = this.scene.picture;
    const [left, above] = [spot.x > (frame.left + frame.right) / 2, spot.y > (frame.top + frame.bottom) / 2];
    box.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px) translate(${left ? "calc(-100% - 12px)" : "12px"}, ${above ? "calc(-100% - 8px)" : "8px"})`;
    while (box.childElementCount < lines.length) box.append(document.createElement("span"));
    while (box.childElementCount > lines.length) box.lastElementChild!.remove();
    lines.forEach((line, place) => {
      const span = box.children[place]!;
      if (span.textContent !== line) span.textContent = line;
    });
  }
}
