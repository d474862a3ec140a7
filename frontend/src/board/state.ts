export interface BoardState {
  [field: string]: unknown;
}

export const boardDefaults: BoardState = {};
