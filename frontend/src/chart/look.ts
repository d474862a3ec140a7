// How a series looks: a colour, and always a dash and a marker with it, so that no series differs
// by its colour alone. The same order as in the pictures of reports.
import type { Series } from "./types";

export const COLORS = 8;
export const MARKERS = ["circle", "square", "triangle", "diamond", "down", "plus", "cross", "star"] as const;
export type Marker = (typeof MARKERS)[number];

export interface Look {
  ink: string; // a CSS variable
  dash: readonly number[];
  marker: Marker;
  width: number;
}

const DASHES: readonly (readonly number[])[] = [[], [7, 3], [1.5, 3], [8, 3, 1.5, 3]];
const NAMED = { solid: [], dashed: [6, 4], dotted: [1.5, 3], long: [16, 5], "dash-dot-dot": [12, 3, 2, 3, 2, 3] } as const; // the last two are no model's

export function lookOf(series: Series): Look {
  const place = Math.max(0, Math.floor(series.color));
  const cycle = Math.floor(place / COLORS);
  const grey = series.guide || series.muted;
  const own = series.dash ? NAMED[series.dash] : null;
  const dash = own ?? (series.guide ? NAMED.dashed : series.muted || bare(series) ? [] : DASHES[(place + cycle) % DASHES.length]!);
  return {
    ink: series.guide ? "--pl-muted" : series.muted && !series.tint ? "--pl-draws" : `--pl-line${(place % COLORS) + 1}`,
    dash,
    marker: MARKERS[(place + cycle) % MARKERS.length]!,
    width: grey ? 1 : series.thin ? 0.9 : 1.8,
  };
}

const bare = (series: Series): boolean => series.style === "bars" || series.style === "points";

// The corners of a marker of radius r around a place; null: a circle.
export function corners(marker: Marker, r: number): [number, number][] | null {
  switch (marker) {
    case "circle":
      return null;
    case "square":
      return [[-r, -r], [r, -r], [r, r], [-r, r]].map(([x, y]) => [0.88 * x!, 0.88 * y!]);
    case "triangle":
      return ring(3, r * 1.25, -90);
    case "diamond":
      return ring(4, r * 1.25, 0);
    case "down":
      return ring(3, r * 1.25, 90);
    case "plus":
      return cross(r, 0);
    case "cross":
      return cross(r, 45);
    case "star":
      return ring(10, r * 1.35, -90).map(([x, y], place) => (place % 2 ? [0.45 * x, 0.45 * y] : [x, y]));
  }
}

const turned = (x: number, y: number, degrees: number): [number, number] => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};

const ring = (sides: number, r: number, from: number): [number, number][] => Array.from({ length: sides }, (_, i) => turned(r, 0, from + (360 * i) / sides));

function cross(r: number, degrees: number): [number, number][] {
  const [a, b] = [0.38 * r, 1.1 * r];
  const arm: [number, number][] = [[a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a], [-a, -b]];
  return arm.map(([x, y]) => turned(x, y, degrees));
}

// What an SVG path of a marker is.
export function markerPath(marker: Marker, r: number): string {
  const points = corners(marker, r);
  if (!points) return `M${-r},0A${r},${r} 0 1 0 ${r},0A${r},${r} 0 1 0 ${-r},0Z`;
  return `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}Z`;
}
