import { useAnswer } from "../ask";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { percentText } from "../ui/format";
import { Legend } from "../ui/Presentation";
import type { View } from "../views";
import type { DiagnosisAnswer } from "./answers";
import { ReliabilityChart } from "./ReliabilityChart";
import { Span } from "./Span";

const UNITS: Record<string, string> = { temperature: "temperature", share: "share of rows", probability: "of probability", "log-odds": "of log-odds" };

// The shape of the fault in words, the curve it would give, and the evidence for each shape.
export const DiagnosisView: View = ({ question, compact }) => {
  const found = useAnswer<DiagnosisAnswer>(question);
  return (
    <Answer of={found} what="Diagnosing the miscalibration">
      {(answer) => (
        <div class={compact ? "stack" : "cal-pair"}>
          <ReliabilityChart
            curve={answer.curve}
            label={`Diagnosis${answer.model === null ? "" : ` of ${answer.model}`}`}
            overlays={answer.fitted.score.length ? [{ name: `${answer.shape} only`, x: answer.fitted.score, y: answer.fitted.share }] : []}
            compact
          />
          <div class="stack">
            <p data-name="diagnosis">{answer.presentation.summary}</p>
            {!compact && <Legend presentation={answer.presentation} />}
          </div>
          {!compact && <div class="cal-wide"><Evidence answer={answer} /></div>}
        </div>
      )}
    </Answer>
  );
};

function Evidence({ answer }: { answer: DiagnosisAnswer }) {
  return (
    <DataTable
      caption="Evidence, largest first"
      rows={answer.evidence}
      columns={[
        { title: "Shape", value: (row) => (row.class === null ? row.shape : `${row.shape}: ${row.class}`) },
        { title: "Estimate", value: (row) => row.estimate },
        { title: "95 % CI", value: (row) => <Span low={row.low} high={row.high} /> },
        { title: "Unit", value: (row) => UNITS[row.kind] ?? row.kind },
        { title: "Explains", value: (row) => percentText(row.explained) },
        { title: "p", p: true, value: (row) => row.p_value },
      ]}
    />
  );
}
