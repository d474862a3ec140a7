import { useAnswer } from "../ask";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import type { View } from "../views";
import type { DrawnCurve } from "./answer";
import { CurveFigure } from "./CurveFigure";
import { firstOf, useSecond } from "./useCurve";

// A curve by its question alone, as a pin on the board shows it.
export function CurveView({ question, compact }: { question: Question; compact?: boolean }) {
  const found = useAnswer<DrawnCurve>(firstOf(question));
  const { right } = useSecond(question);
  return (
    <Answer of={found} what="Drawing the curve">
      {(answer) => <CurveFigure answer={answer} second={right} question={question} {...(compact ? { compact } : {})} />}
    </Answer>
  );
}

export const curveViews: Record<string, View> = { curve: CurveView };
