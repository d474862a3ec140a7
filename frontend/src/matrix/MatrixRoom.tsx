import type { About } from "../answers";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { useThreshold } from "../cursor";
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
  const question = confusionQuestion(state, about, threshold);
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
        <ThresholdBar about={about} range={found.answer?.range ?? null} />
        <Answer of={found} what="Counting">
          {(answer) => <Matrices answer={answer} shares={matrix.shares} picked={matrix.cell} onPick={pick} />}
        </Answer>
      </section>
      {matrix.cell && <CellRows about={about} cell={matrix.cell} threshold={threshold} close={() => store.edit("matrix", { cell: null })} />}
    </div>
  );
}
