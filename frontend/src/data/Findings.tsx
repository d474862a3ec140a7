import { useState } from "preact/hooks";
import { useAnswer } from "../ask";
import { dataSection } from "../questions";
import { usePart } from "../store";
import { Answer } from "../ui/Answer";
import { Num } from "../ui/Num";
import type { Presentation } from "../ui/Presentation";
import { Disclosure } from "../ui/Disclosure";

interface DoctorAnswer {
  presentation: Presentation;
  n: number;
  effective_n: number;
  positive: string | null; // of two classes
  class_shares: Record<string, number>;
  missing_classes: string[];
  distinct_scores: number | null;
}

const MOST_SHARES = 12;

// What is odd about the rows that are chosen; looked at when asked.
export function Findings() {
  const data = usePart((state) => state.data);
  const [open, setOpen] = useState(false);
  const found = useAnswer<DoctorAnswer>(open ? { kind: "doctor", data: dataSection(data) } : null, { delay: 200 });
  return (
    <Disclosure class="findings" open={open} onToggle={setOpen} title="Is anything unusual about these rows?">
      {open && (
        <Answer of={found} what="Checking the rows">
          {(answer) => <Found answer={answer} />}
        </Answer>
      )}
    </Disclosure>
  );
}

function Found({ answer }: { answer: DoctorAnswer }) {
  const shares = Object.entries(answer.class_shares);
  return (
    <>
      <p data-name="input-check">{answer.presentation.summary}</p>
      <dl class="facts">
        {answer.positive !== null && (
          <>
            <dt>Positive class</dt>
            <dd>{answer.positive}</dd>
          </>
        )}
        <dt>Distinct scores</dt>
        <dd>
          <Num value={answer.distinct_scores} />
        </dd>
        {shares.length <= MOST_SHARES &&
          shares.map(([name, share]) => (
            <>
              <dt key={name}>{`Share of ${name}`}</dt>
              <dd>
                <Num value={share} digits={3} />
              </dd>
            </>
          ))}
      </dl>
    </>
  );
}
