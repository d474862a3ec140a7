// What draws a reading by its question alone, as a pin on the board shows it.
import { useAnswer } from "../ask";
import { unitOfQuestion } from "../cursor";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import type { View } from "../views";
import type { CasesAnswer, DifferenceAnswer, IsoLine, OptimumAnswer, ReadingAnswer, SubgroupsAnswer } from "./answers";
import { CasesFound } from "./Cases";
import { Counts } from "./Counts";
import { DifferenceFound } from "./Difference";
import { Costs } from "./IsoCost";
import { Bests } from "./Optimum";
import { SubgroupsFound } from "./Subgroups";

function viewOf<Told>(what: string, show: (told: Told, compact: boolean, question: Question) => preact.JSX.Element): View {
  return function ReadingView({ question, compact = false }) {
    const found = useAnswer<Told>(question);
    return (
      <Answer of={found} what={what}>
        {(told) => show(told, compact, question)}
      </Answer>
    );
  };
}

const isSquare = (question: Question): boolean => ["roc", "precision-recall"].includes(String((question.curve as { preset?: unknown } | undefined)?.preset));

export const readingViews: Record<string, View> = {
  reading: viewOf<ReadingAnswer>("Counting", (told, compact) => <Counts reading={told} compact={compact} />),
  optimum: viewOf<OptimumAnswer>("Finding the best threshold", (told, compact, question) => <Bests answer={told} unit={unitOfQuestion(question)} compact={compact} />),
  "iso-cost": viewOf<{ lines: IsoLine[] }>("Computing the costs", (told, _compact, question) => <Costs lines={told.lines} unit={unitOfQuestion(question)} />),
  cases: viewOf<CasesAnswer>("Finding the cases", (told, compact) => <CasesFound cases={told} compact={compact} />),
  difference: viewOf<DifferenceAnswer>("Comparing the two curves", (told, compact) => <DifferenceFound difference={told} compact={compact} />),
  subgroups: viewOf<SubgroupsAnswer>("Drawing the groups", (told, _compact, question) => <SubgroupsFound groups={told} unit={unitOfQuestion(question)} square={isSquare(question)} />),
};
