import { Num } from "../ui/Num";
import type { ConfusionAnswer, MatrixEntry } from "./answers";
import { CellTable } from "./CellTable";
import { HeatMap } from "./HeatMap";
import { Rates, RatesSideBySide } from "./Rates";
import type { MatrixState, Place } from "./state";

const MOST_IN_TABLE = 24; // classes up to which every cell is a button

export interface MatrixProps {
  entry: MatrixEntry;
  shares: MatrixState["shares"];
  picked: Place | null;
  onPick?: (cell: Place) => void;
  weighted: boolean;
}

// A matrix a model, side by side; the rates below, side by side too where they are of one class.
export function Matrices({ answer, shares, picked, onPick, compact = false }: { answer: ConfusionAnswer; shares: MatrixState["shares"]; picked?: Place | null; onPick?: (cell: Place) => void; compact?: boolean }) {
  const together = answer.results.every((entry) => entry.classes.length === 2);
  return (
    <>
      <div class={together ? "matrices" : "matrices wide"}>
        {answer.results.map((entry) => (
          <One
            key={entry.model ?? ""}
            entry={entry}
            shares={shares}
            picked={picked && (picked.model ?? null) === entry.model ? picked : null}
            {...(onPick ? { onPick } : {})}
            rates={!together}
            weighted={answer.weighted}
            compact={compact}
          />
        ))}
      </div>
      {together && <RatesSideBySide entries={answer.results} weighted={answer.weighted} compact={compact} />}
    </>
  );
}

function One({ entry, shares, picked, onPick, weighted, rates, compact }: MatrixProps & { rates: boolean; compact: boolean }) {
  const Shown = entry.classes.length > MOST_IN_TABLE ? HeatMap : CellTable;
  return (
    <article class="matrix" aria-label={entry.model ?? "Confusion matrix"}>
      {entry.model !== null && <h3>{entry.model}</h3>}
      <p class="decision">
        <Num value={entry.n} /> rows, answered by {entry.decision}
        {weighted && <>; counted by their weights, which tell as much as <Num value={entry.effective_n} name="effective-n" /> rows of equal weight</>}
      </p>
      <Shown entry={entry} shares={shares} picked={picked} weighted={weighted} {...(onPick ? { onPick } : {})} />
      {rates && <Rates entry={entry} weighted={weighted} compact={compact} />}
    </article>
  );
}
