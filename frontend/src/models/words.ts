// How names and values are written in this room.
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const pairName = (models: readonly [string, string]): string => `${models[0]} − ${models[1]}`;
