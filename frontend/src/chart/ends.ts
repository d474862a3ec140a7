// Which lines are named beside their ends: a few that end at the right edge, apart from each other.
import { type Frame, shortened, textWidth } from "./frame";
import { LINE, placeEnds } from "./labels";
import type { Drawn, Picture } from "./picture";

export interface End {
  id: string;
  name: string;
  ink: string;
  y: number; // pixels
}

const MOST = 6; // lines
const LONGEST = 18; // letters
const NARROW = 480; // pixels of a chart that has no room
const EDGE = 8; // pixels from the right edge

export const nameOf = ({ name }: End): string => shortened(name, LONGEST);
export const roomOf = (ends: readonly End[]): number => 4 + Math.max(...ends.map((end) => textWidth(nameOf(end))));

export function endsOf({ frame, drawn }: Picture): End[] {
  const lines = drawn.filter(({ series }) => !series.guide && !series.muted && !series.thin && series.style !== "points" && series.style !== "bars");
  if (lines.length < 2 || lines.length > MOST || frame.right2 || frame.width < NARROW) return [];
  const ends = lines.map((one) => ({ id: one.series.id, name: one.series.name, ink: one.look.ink, y: heightAtEdge(one, frame) }));
  if (ends.some((end) => !(end.y >= frame.top - 1 && end.y <= frame.bottom + 1))) return [];
  const heights = placeEnds(ends.map((end) => end.y), frame.top, frame.bottom);
  return heights.every((height, place) => Math.abs(height - ends[place]!.y) <= LINE) ? ends : [];
}

// Where a line crosses the right edge; NaN if it ends before.
function heightAtEdge({ lineX, lineY }: Drawn, { right }: Frame): number {
  const edge = right - EDGE;
  let height = NaN;
  for (let i = 1; i < lineX.length; i++) {
    const [x0, x1] = [lineX[i - 1]!, lineX[i]!];
    if (x0 > edge === x1 > edge || Number.isNaN(x0 + x1)) continue;
    height = lineY[i - 1]! + ((edge - x0) / (x1 - x0)) * (lineY[i]! - lineY[i - 1]!);
  }
  return height;
}
