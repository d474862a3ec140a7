// Where the names of marks stand, so that they do not cover each other.
import { along } from "./geometry";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Wanted {
  text: string;
  width: number;
  places: readonly [number, number][]; // left and top of the places it may take, the best first
}

export interface Placed {
  text: string;
  box: Box;
}

const CROSSED = 4; // a text on a text is worse than a text on a line
const ON_LINE = 40; // pixels of text that a sample of a line counts for
const SAMPLES = 6; // pixels between samples of a line
const MARKED = 8; // pixels around a point that is marked

// What a chart holds that names should not cover: lines, and points that are marked.
export function coverage(lines: readonly (readonly [Float32Array, Float32Array])[], points: readonly (readonly [number, number])[]): (box: Box) => number {
  const samples = lines.flatMap(([x, y]) => along(x, y, 0, SAMPLES));
  const boxes = points.map(([x, y]): Box => ({ left: x - MARKED, top: y - MARKED, width: 2 * MARKED, height: 2 * MARKED }));
  return (box) => {
    let sum = boxes.reduce((all, other) => all + CROSSED * overlap(box, other), 0);
    for (const [x, y] of samples) if (x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height) sum += ON_LINE;
    return sum;
  };
}

export const LINE = 15; // height of a line of text

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

// Give every text the first of its places that is free and inside, else the one that covers least and
// has to be moved least: moved inside, a text may cover what it names. `covers` says how much of the
// chart a box covers, in pixels of text.
export function placeLabels(wanted: readonly Wanted[], inside: Box, covers: (box: Box) => number = () => 0): Placed[] {
  const taken: Box[] = [];
  return wanted.map(({ text, width, places }) => {
    const boxes = places.map(([left, top]) => held({ left, top, width, height: LINE }, inside));
    const moved = (box: Box, place: number) => LINE * (Math.abs(box.left - places[place]![0]) + Math.abs(box.top - places[place]![1]));
    const costs = boxes.map((box, place) => taken.reduce((sum, other) => sum + CROSSED * overlap(box, other), moved(box, place) + covers(box)));
    const box = boxes[costs.indexOf(Math.min(...costs))]!;
    taken.push(box);
    return { text, box };
  });
}

// The heights of names beside the ends of lines, pushed apart where they would cover each other.
export function placeEnds(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = wanted.map((_, place) => place).sort((a, b) => wanted[a]! - wanted[b]!);
  const heights = [...wanted];
  let least = top;
  for (const place of order) {
    heights[place] = Math.max(least, wanted[place]!);
    least = heights[place]! + LINE;
  }
  let most = bottom;
  for (const place of order.reverse()) {
    heights[place] = Math.min(most, heights[place]!);
    most = heights[place]! - LINE;
  }
  return heights;
}

// The box, moved so that it is inside.
function held(box: Box, inside: Box): Box {
  const left = Math.max(inside.left, Math.min(box.left, inside.left + inside.width - box.width));
  const top = Math.max(inside.top, Math.min(box.top, inside.top + inside.height - box.height));
  return { ...box, left, top };
}
