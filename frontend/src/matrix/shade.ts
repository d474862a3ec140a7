// How full a cell is painted: its share of the largest cell of its side, the diagonal or the rest.
import type { MatrixEntry } from "./answers";

const FULLEST = 45; // per cent of colour on the ground, so that the text on it keeps its contrast

export interface Largest {
  right: number;
  wrong: number;
}

export function largest(values: readonly Float64Array[]): Largest {
  let right = 0;
  let wrong = 0;
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (i === j) right = Math.max(right, value || 0);
      else wrong = Math.max(wrong, value || 0);
    }),
  );
  return { right, wrong };
}

export function fullness(value: number, diagonal: boolean, most: Largest): number {
  const top = diagonal ? most.right : Math.max(most.wrong, most.right / 4); // a few mistakes stay pale
  return top > 0 && value > 0 ? Math.sqrt(value / top) : 0;
}

export const paint = (full: number, diagonal: boolean): string =>
  full === 0 ? "transparent" : `color-mix(in srgb, var(${diagonal ? "--pl-point" : "--pl-gap"}) ${(6 + (FULLEST - 6) * full).toFixed(1)}%, var(--card))`;

export const shownValues = (entry: MatrixEntry): readonly Float64Array[] => entry.shares ?? entry.matrix;
