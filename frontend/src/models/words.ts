import type { Measured } from "./answers";

// How names and values are written in this room.
// A symbol of one letter, such as p, stays as it is.
export const capital = (text: string): string => (/^[b-z]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

export const pairName = (models: readonly [string, string]): string => `${models[0]} − ${models[1]}`;

// An answer has no infinity: the reason says that its number is one.
export const valueOf = (one: Measured): number | null => (one.value === null && one.reason?.startsWith("infinite:") ? Infinity : one.value);
