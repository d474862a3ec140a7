import { useEffect, useState } from "preact/hooks";
import { failureOf, useAnswer, useDesk } from "../ask";
import type { Failure, Question } from "../host";
import { Answer } from "../ui/Answer";
import { NumberField, Select } from "../ui/fields";
import { numberText } from "../ui/format";
import { Notice } from "../ui/Notice";
import { download, type FileAnswer } from "./download";

interface Guard {
  what: string; // the number in words
  value: number;
  bound: number; // what is proposed
  holds: Holds;
  why: string; // where the proposed bound comes from
  free: boolean; // whether the reader says which side is worse
  line: string | null; // whose number it is
  lines: string[]; // what there is to choose from
}

type Holds = "at least" | "at most";
const SIDES = [
  { value: "at least", label: "at least the bound" },
  { value: "at most", label: "at most the bound" },
];

// A test file that fails once the number is worse than a bound, which the reader may move.
export function GuardForm({ question, name, done }: { question: Question; name: string; done: () => void }) {
  const desk = useDesk();
  const [holds, setHolds] = useState<Holds | null>(null);
  const [line, setLine] = useState<string | null>(null);
  const asked = { what: question, ...(holds ? { holds } : {}), ...(line !== null ? { line } : {}) };
  const found = useAnswer<Guard>({ kind: "guard", ...asked });
  const [bound, setBound] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const proposed = found.answer?.bound ?? null;
  useEffect(() => setBound(proposed), [proposed]);
  const save = async () => {
    try {
      download((await desk.host.ask(desk.table, { kind: "export", ...asked, format: "pytest", title: name, bound })) as FileAnswer);
      done();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <Answer of={found} what="Computing the number">
      {(guard) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {guard.line !== null && <Select label="Whose number" value={guard.line} choices={guard.lines.map((each) => ({ value: each, label: each }))} onChange={setLine} />}
          <p>
            {guard.what}: <data value={String(guard.value)}>{numberText(guard.value)}</data>.{!guard.free && ` The test passes while it is ${guard.holds} the bound.`}
          </p>
          {guard.free && <Select label="The test passes while it is" value={guard.holds} choices={SIDES} onChange={(side) => setHolds(side as Holds)} />}
          <NumberField label="Bound" value={bound} onChange={setBound} hint={guard.why} />
          {failure && <Notice failure={failure} />}
          <button type="submit" class="primary" disabled={bound === null}>
            Download test
          </button>
        </form>
      )}
    </Answer>
  );
}
