import type { About } from "../answers";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { useThreshold } from "../cursor";
import type { State } from "../state";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import type { ConfusionAnswer } from "./answers";
import { CellRows } from "./CellRows";
import { Controls } from "./Controls";
import { confusionQuestion } from "./questions";
import { Matrices } from "./Matrices";
import type { Place } from "./state";
import { ThresholdBar } from "./ThresholdBar";
import { useCalm } from "./useCalm";

const STEP = 100; // milliseconds between two questions while the threshold is dragged

// Which class is taken for which, at the shared threshold; and the rows behind every cell.
export function MatrixRoom({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const matrix = usePart((state) => state.matrix);
  const store = useStore();
  const threshold = useCalm(useThreshold(), STEP);
  const state = { data, matrix };
  const usual = useUsual(state, about);
  const at = threshold ?? usual;
  const question = confusionQuestion(state, about, at);
  const found = useAnswer<ConfusionAnswer>(question);
  const pick = (cell: Place) => store.edit("matrix", { cell });
  return (
    <div class="matrix-room">
      <section class="block" aria-label="Confusion matrix">
        <header>
          <h2>Confusion matrix</h2>
          <div class="tools">
            <PinButton question={question} title="Confusion matrix" />
            <ExportMenu question={question} name="confusion matrix" />
          </div>
        </header>
        <Controls about={about} />
        <ThresholdBar about={about} range={found.answer?.range ?? null} usual={usual} />
        <Answer of={found} what="Counting">
          {(answer) => <Matrices answer={answer} shares={matrix.shares} picked={matrix.cell} onPick={pick} />}
        </Answer>
      </section>
      {matrix.cell && <CellRows about={about} cell={matrix.cell} threshold={at} close={() => store.edit("matrix", { cell: null })} />}
    </div>
  );
}

// Ratings decide nothing without a threshold: theirs is the middle one until another is chosen.
function useUsual(state: Pick<State, "data" | "matrix">, about: About): number | null {
  const ratings = !about.has_prob && about.has_score;
  const found = useAnswer<ConfusionAnswer>(ratings ? confusionQuestion(state, about, null) : null);
  return ratings ? (found.answer?.usual ?? null) : null;
}
