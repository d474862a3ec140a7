// What draws the answer to a question, by its kind: the board shows pinned questions with it.
import type { Question } from "./host";
import { calibrationViews } from "./calibration/views";
import { curveViews } from "./curves/views";
import { matrixViews } from "./matrix/views";
import { modelsViews } from "./models/views";
import { DistributionView } from "./overview/Distribution";
import { readingViews } from "./reading/views";
import type { Requests } from "./requests";
import { ResultView } from "./ui/ResultView";

export type View = (props: { question: Question; compact?: boolean }) => preact.JSX.Element;

// Of other kinds the answer is shown as it presents itself.
export const viewOf = (kind: string): View => (Object.hasOwn(VIEWS, kind) ? VIEWS[kind]! : ResultView);
export const drawable = (requests: Requests) => (kind: string): boolean => Object.hasOwn(VIEWS, kind) || Boolean(requests[kind]?.room);

export const VIEWS: Record<string, View> = { ...curveViews, ...calibrationViews, ...modelsViews, ...matrixViews, ...readingViews, "class-counts": DistributionView };
