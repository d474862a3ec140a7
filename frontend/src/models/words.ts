// How names and values are written in this room.
// A symbol of one letter, such as p, stays as it is.
export const capital = (text: string): string => (/^[b-z]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

export const pairName = (models: readonly [string, string]): string => `${models[0]} − ${models[1]}`;
