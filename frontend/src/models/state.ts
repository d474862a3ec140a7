export interface ModelsState {
  [field: string]: unknown;
}

export const modelsDefaults: ModelsState = {};
