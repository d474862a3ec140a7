export interface MatrixState {
  [field: string]: unknown;
}

export const matrixDefaults: MatrixState = {};
