export interface CalibrationState {
  [field: string]: unknown;
}

export const calibrationDefaults: CalibrationState = {};
