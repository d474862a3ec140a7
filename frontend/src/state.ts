// Everything the workbench shows follows from this one value and the table: it is what undo goes
// back to, what the URL holds and what a board saves. Each room keeps its own part in its own file.
import { curveDefaults, type CurveState } from "./curves/state";
import { dataDefaults, type DataState } from "./data/state";
import { calibrationDefaults, type CalibrationState } from "./calibration/state";
import { modelsDefaults, type ModelsState } from "./models/state";
import { matrixDefaults, type MatrixState } from "./matrix/state";
import { boardDefaults, type BoardState } from "./board/state";
import { layoutDefaults, type LayoutState } from "./shell/state";
import { overviewDefaults, type OverviewState } from "./overview/state";
import { readingDefaults, type ReadingState } from "./reading/state";

export const ROOMS = ["overview", "curves", "calibration", "models", "matrix", "board"] as const;
export type Room = (typeof ROOMS)[number];

export interface State {
  table: string | null; // id of the open table
  room: Room;
  threshold: number | null; // shared by all charts
  data: DataState;
  overview: OverviewState;
  curve: CurveState;
  reading: ReadingState;
  calibration: CalibrationState;
  models: ModelsState;
  matrix: MatrixState;
  board: BoardState;
  layout: LayoutState;
}

export const DEFAULTS: State = {
  table: null,
  room: "overview",
  threshold: null,
  data: dataDefaults,
  overview: overviewDefaults,
  curve: curveDefaults,
  reading: readingDefaults,
  calibration: calibrationDefaults,
  models: modelsDefaults,
  matrix: matrixDefaults,
  board: boardDefaults,
  layout: layoutDefaults,
};
