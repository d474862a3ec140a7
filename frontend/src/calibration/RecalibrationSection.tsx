import { useAnswer } from "../ask";
import { dataSection } from "../questions";
import { usePart } from "../store";
import { Select } from "../ui/fields";
import { Hint, Notice } from "../ui/Notice";
import type { RecalibrationAnswer } from "./answers";
import { Block } from "./Block";
import { useEdit } from "./Controls";
import { recalibrationQuestion } from "./questions";
import { Disclosure } from "../ui/Disclosure";

// Which method recalibrates these probabilities, and how to do it outside of this page.
export function RecalibrationSection({ model }: { model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const listed = useAnswer<RecalibrationAnswer>({ kind: "recalibration", data: dataSection(data), model, lines: calibration.method });
  const methods = listed.answer?.methods ?? [];
  const chosen = methods.find((row) => row.name === calibration.method);
  const choices = [{ value: "auto", label: "All suitable methods: take the best, if the gain is significant" }, ...methods.map((row) => ({ value: row.name, label: row.why_not === null ? row.title : `${row.title} – ${row.why_not}` }))];
  const question = recalibrationQuestion({ data, calibration }, model);
  const lines = listed.answer?.lines;
  return (
    <>
      {listed.error && <Notice failure={listed.error} retry={listed.retry} />}
      <Block
        question={question}
        title={`Recalibration${model === null ? "" : ` of ${model}`}`}
        controls={<Select label="Method" value={calibration.method} choices={choices} onChange={(method) => edit({ method })} {...(chosen ? { hint: `${chosen.text} ${chosen.source}.` } : {})} />}
        heading={false}
      />
      {lines && (
        <Disclosure title="Do it on the command line or in Python">
          <p>The rows chosen here must be ones that the model was not fitted on; <code>new.csv</code> holds those to recalibrate.</p>
          <pre tabIndex={0} aria-label="Command line">{lines.shell}</pre>
          {lines.left_out.map((text) => <Hint key={text}>{text}</Hint>)}
          <pre tabIndex={0} aria-label="Python">{lines.python}</pre>
        </Disclosure>
      )}
    </>
  );
}
