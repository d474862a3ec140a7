import type { View } from "../views";
import { DiagnosisView } from "./DiagnosisView";
import { GroupsView } from "./GroupsView";
import { OverTimeView } from "./OverTimeView";
import { PlanView } from "./PlanView";
import { RecalibrationView } from "./RecalibrationView";
import { ReliabilityView } from "./ReliabilityView";
import { SensitivityView } from "./SensitivityView";
import { TestView } from "./TestView";

export const calibrationViews: Record<string, View> = {
  reliability: ReliabilityView,
  test: TestView,
  diagnosis: DiagnosisView,
  groups: GroupsView,
  sensitivity: SensitivityView,
  monitor: OverTimeView,
  plan: PlanView,
  recalibration: RecalibrationView,
};
