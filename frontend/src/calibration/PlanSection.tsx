import { useState } from "preact/hooks";
import { useClient } from "../ask";
import { usePart } from "../store";
import { NumberField, Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { OtherControls } from "../ui/OtherControls";
import { Block } from "./Block";
import { choiceOf, choicesOf, useRequests } from "../requests";
import { useEdit } from "./Controls";
import { planQuestion } from "./questions";

// The planner simulates data sets for seconds to minutes, so it starts when it is told to.
export function PlanSection({ model }: { model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const client = useClient();
  const requests = useRequests();
  const wanted = planQuestion({ data, calibration, requests }, model);
  const [asked, setAsked] = useState(wanted);
  const [started, setStarted] = useState(client.known(wanted) !== undefined);
  const current = JSON.stringify(asked) === JSON.stringify(wanted);
  const start = () => {
    setAsked(wanted);
    setStarted(true);
  };
  return (
    <>
      <PlanControls />
      <div class="row">
        <button class="primary" onClick={start} disabled={started && current}>
          {started ? "Plan again" : "Plan"}
        </button>
        <Hint>{started && !current ? "The plan below belongs to the earlier settings." : "Data sets are simulated from these predictions. This may take minutes with many classes. A quick simulation or another test is faster."}</Hint>
      </div>
      {started && <Block question={asked} title={`Power and sample size${model === null ? "" : ` of ${model}`}`} heading={false} />}
    </>
  );
}

function PlanControls() {
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const requests = useRequests();
  const { params } = requests["plan"]!;
  const effects = params["effect"]!.choices;
  const effect = choiceOf(requests, "plan", "effect", calibration.effect) ?? effects[0]!;
  const { unit, step, least, most, usual } = effect.size!;
  return (
    <div class="cal-controls">
      <Select label="Effect to detect" value={effect.value} choices={effects} onChange={(wanted) => edit({ effect: wanted })} />
      <NumberField label={unit} value={calibration.sizes[effect.value] ?? usual} min={least} max={most} step={step} hint={effect.help!} onChange={(wanted) => wanted !== null && edit({ sizes: { ...calibration.sizes, [effect.value]: wanted } }, "plan size")} />
      <NumberField label="Power" value={calibration.power} min={0.06} max={0.99} step={0.05} onChange={(power) => power !== null && edit({ power }, "plan power")} />
      <NumberField label="Level" value={calibration.level} min={0.001} max={0.5} step={0.01} onChange={(level) => level !== null && edit({ level }, "plan level")} />
      <NumberField label="Rows" value={calibration.n} min={2} step={1} onChange={(n) => edit({ n }, "plan rows")} hint="Empty: all rows." />
      <Select label="Planned test" value={calibration.planStatistic} choices={choicesOf(requests, "plan", "statistic")} onChange={(planStatistic) => edit({ planStatistic })} />
      <Select label="Simulation" value={calibration.datasets ?? ""} choices={choicesOf(requests, "plan", "datasets")} onChange={(sets) => edit({ datasets: sets === "" ? null : Number(sets) })} />
      <OtherControls request="plan" part="calibration" />
    </div>
  );
}
