import type { About } from "../answers";
import { useAnswer } from "../ask";
import { usePart } from "../store";
import { DataTable } from "../ui/DataTable";
import { Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { OtherControls } from "../ui/OtherControls";
import { useReveal } from "../ui/useReveal";
import type { ReliabilityAnswer } from "./answers";
import { Block } from "./Block";
import { choicesOf, useRequests } from "../requests";
import { Controls, useEdit } from "./Controls";
import { GroupsSection } from "./GroupsSection";
import { RecalibrationSection } from "./RecalibrationSection";
import { OverTimeSection } from "./OverTimeSection";
import { PlanSection } from "./PlanSection";
import { RequestSections } from "./RequestSections";
import { chosenModels, diagnosisQuestion, isBinary, isBinned, reliabilityQuestion, sensitivityQuestion, shownModel, testQuestion } from "./questions";
import { Section } from "./Section";
import { Span } from "./Span";
import { IgnoredSettings } from "./IgnoredSettings";

export function CalibrationRoom({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const requests = useRequests();
  const parts = { data, calibration, requests };
  const model = shownModel(about, parts);
  const large = useReveal();
  const recalibration = (
    <Section name="recalibration" title="Recalibration" text="Which recalibration helps, and by how much?">
      {() => <RecalibrationSection model={model} />}
    </Section>
  );
  if (!about.has_prob) {
    return (
      <div class="stack">
        <NoProbabilities about={about} />
        {about.has_score && recalibration}
      </div>
    );
  }
  const of = model === null ? "" : ` of ${model}`;
  return (
    <div class="stack">
      <Controls about={about} />
      <div ref={large.ref} class="reveal">
        <Block question={reliabilityQuestion(parts, model)} title={`Reliability${of}`} />
      </div>
      {chosenModels(about, parts).length > 1 && <EveryModel about={about} onChoose={large.show} />}
      <Tested about={about} />
      <Section name="diagnosis" title="Diagnosis" text="What is wrong, by how much, and what would correct it?">
        {() => <Block question={diagnosisQuestion(parts, model)} title={`Diagnosis${of}`} controls={<><OtherControls request="diagnosis" part="calibration" /><IgnoredSettings section="diagnosis" /></>} heading={false} />}
      </Section>
      <Section name="groups" title="Groups" text="Is every group of rows calibrated?">
        {() => <GroupsSection about={about} model={model} />}
      </Section>
      <Section name="over-time" title="Over time" text="Is the model still calibrated, window after window?">
        {() => <OverTimeSection about={about} model={model} />}
      </Section>
      <Section name="sensitivity" title="Sensitivity to bins" text="How much does the error depend on the bins?">
        {() => <Block question={sensitivityQuestion(parts, model)} title={`Sensitivity to bins${of}`} controls={<><OtherControls request="sensitivity" part="calibration" /><Hint>The same error with 2 to 100 bins, each with its range if calibrated.</Hint><IgnoredSettings section="sensitivity" /></>} heading={false} />}
      </Section>
      <Section name="plan" title="Power and sample size" text="What can these rows detect, and how many rows are needed?">
        {() => <PlanSection model={model} />}
      </Section>
      {recalibration}
      <RequestSections room="calibration" about={about} model={model} />
    </div>
  );
}

function NoProbabilities({ about }: { about: About }) {
  return (
    <div class="empty">
      <h2>No probabilities to check</h2>
      <p>
        Probabilities are calibrated if, for example, 80 of 100 rows predicted at 0.8 are positive. {about.has_score ? "This table holds ratings, not probabilities. Ratings only rank the rows." : "This table holds predicted classes only."}
      </p>
      <p>{about.has_score ? "Recalibration below turns ratings into probabilities. Everything else needs a probability column for each class." : "Open a table with a probability column for each class."}</p>
    </div>
  );
}

// The errors of all models beside each other; a row chooses the model that is shown large.
function EveryModel({ about, onChoose }: { about: About; onChoose: () => void }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const requests = useRequests();
  const parts = { data, calibration, requests };
  const shown = shownModel(about, parts);
  const found = useAnswer<ReliabilityAnswer>(reliabilityQuestion(parts, shown), { delay: 120 });
  if (!found.answer || found.error) return null;
  return (
    <section class="block" aria-label="All chosen models">
      <DataTable
        caption="Calibration error of every chosen model"
        rows={found.answer.models}
        columns={[
          { title: "Model", value: (row) => <button class="link" aria-pressed={row.model === shown} onClick={() => (edit({ model: row.model }), onChoose())}>{row.model}</button> },
          { title: "Rows", value: (row) => row.n },
          { title: "Error", value: (row) => row.value },
          { title: "Expected if calibrated", value: (row) => row.null_mean },
          { title: "95 % range", value: (row) => <Span low={row.null_range[0]} high={row.null_range[1]} /> },
          { title: "Above expected", value: (row) => row.excess },
          { title: "p", p: true, value: (row) => row.p_value },
        ]}
      />
    </section>
  );
}

function Tested({ about }: { about: About }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const { statistic, view } = calibration;
  const requests = useRequests();
  const model = shownModel(about, { data, calibration });
  const title = `Are the probabilities${model === null ? "" : ` of ${model}`} calibrated?`;
  const own = !isBinned(requests, statistic) && !isBinary(requests, view);
  return (
    <Block
      question={testQuestion({ data, calibration, requests }, model)}
      title={title}
      labels={about.rows * about.k * calibration.resamples}
      controls={
        <>
          <Select label="Test" value={statistic} choices={choicesOf(requests, "test", "statistic")} onChange={(wanted) => edit({ statistic: wanted })} />
          <OtherControls request="test" part="calibration" />
          {own && <Hint>This test does not know the view above; it looks at its usual one.</Hint>}
        </>
      }
    />
  );
}
