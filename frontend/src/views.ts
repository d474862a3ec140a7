// What draws the answer to a question, by its kind: the board shows pinned questions with it.
import type { Question } from "./host";
import { calibrationViews } from "./calibration/views";
import { curveViews } from "./curves/views";
import { matrixViews } from "./matrix/views";
import { modelsViews } from "./models/views";
import { DistributionView } from "./overview/Distribution";
import { readingViews } from "./reading/views";

export type View = (props: { question: Question; compact?: boolean }) => preact.JSX.Element;

export const VIEWS: Record<string, View> = { ...curveViews, ...calibrationViews, ...modelsViews, ...matrixViews, ...readingViews, "class-counts": DistributionView };
