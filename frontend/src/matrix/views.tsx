import { useAnswer } from "../ask";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import type { View } from "../views";
import type { ConfusionAnswer } from "./answers";
import { Matrices } from "./Matrices";
import type { MatrixState } from "./state";

function ConfusionView({ question, compact }: { question: Question; compact?: boolean }) {
  const found = useAnswer<ConfusionAnswer>(question);
  return (
    <Answer of={found} what="Counting">
      {(answer) => <Matrices answer={answer} shares={(question["shares"] as MatrixState["shares"] | undefined) ?? "none"} {...(compact ? { compact } : {})} />}
    </Answer>
  );
}

export const matrixViews: Record<string, View> = { confusion: ConfusionView };
