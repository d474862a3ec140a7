// The rooms by name, and what each shows.
import type { About } from "../answers";
import { BoardRoom } from "../board/BoardRoom";
import { CalibrationRoom } from "../calibration/CalibrationRoom";
import { CurvesRoom } from "../curves/CurvesRoom";
import { MatrixRoom } from "../matrix/MatrixRoom";
import { ModelsRoom } from "../models/ModelsRoom";
import { OverviewRoom } from "../overview/OverviewRoom";
import type { Room } from "../state";

export const NAMES: Record<Room, string> = {
  overview: "Overview",
  curves: "Curves",
  calibration: "Calibration",
  models: "Models",
  matrix: "Confusion matrix",
  board: "Board",
};

export const SHOWN: Record<Room, (props: { about: About }) => preact.JSX.Element> = {
  overview: OverviewRoom,
  curves: CurvesRoom,
  calibration: CalibrationRoom,
  models: ModelsRoom,
  matrix: MatrixRoom,
  board: BoardRoom,
};
