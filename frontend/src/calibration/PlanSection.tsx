import { useState } from "preact/hooks";
import { useDesk } from "../ask";
import { usePart } from "../store";
import { NumberField, Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { Block } from "./Block";
import { EFFECTS, effectNamed, STATISTICS } from "./choices";
import { useEdit } from "./Controls";
import { planQuestion } from "./questions";

// The omnibus comes first, as in `plumbline plan`: nobody waits for tests that were not asked for.
export const TESTS = [...STATISTICS, { value: "auto", label: "The best of all (slower)" }];
const SETS = [
  { value: "50", label: "Quick: 50 data sets a point, the power ± 0.06" },
  { value: "", label: "Usual: 50 to 300 a point, as many as rows allow" },
];

// The planner simulates data sets for seconds to minutes, so it starts when it is told to.
export function PlanSection({ model }: { model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const desk = useDesk();
  const wanted = planQuestion({ data, calibration }, model);
  const [asked, setAsked] = useState(wanted);
  const [started, setStarted] = useState(desk.known(wanted) !== undefined);
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
        <Hint>{started && !current ? "The plan below is of the settings before." : "Data sets are simulated from these predictions. It may take a minute, with many classes several: then simulate quickly, or plan for another test."}</Hint>
      </div>
      {started && <Block question={asked} title={`Power and sample size${model === null ? "" : ` of ${model}`}`} heading={false} />}
    </>
  );
}

function PlanControls() {
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const effect = effectNamed(calibration.effect);
  const size = calibration.sizes[effect.value] ?? effect.size;
  return (
    <div class="cal-controls">
      <Select label="Effect to detect" value={effect.value} choices={EFFECTS} onChange={(wanted) => edit({ effect: wanted })} />
      <NumberField label={effect.unit} value={size} min={effect.min} {...(effect.max === undefined ? {} : { max: effect.max })} step={effect.step} hint={effect.hint} onChange={(wanted) => wanted !== null && edit({ sizes: { ...calibration.sizes, [effect.value]: wanted } }, "plan size")} />
      <NumberField label="Power" value={calibration.power} min={0.06} max={0.99} step={0.05} onChange={(power) => power !== null && edit({ power }, "plan power")} />
      <NumberField label="Level" value={calibration.level} min={0.001} max={0.5} step={0.01} onChange={(level) => level !== null && edit({ level }, "plan level")} />
      <NumberField label="Rows" value={calibration.n} min={2} step={1} onChange={(n) => edit({ n }, "plan rows")} hint="Empty: as many as there are." />
      <Select label="Planned test" value={calibration.planStatistic} choices={TESTS} onChange={(planStatistic) => edit({ planStatistic })} />
      <Select label="Simulation" value={calibration.datasets === null ? "" : String(calibration.datasets)} choices={SETS} onChange={(sets) => edit({ datasets: sets === "" ? null : Number(sets) })} />
    </div>
  );
}
