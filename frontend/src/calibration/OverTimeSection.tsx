import type { About } from "../answers";
import { useRequests, labelOf } from "../requests";
import { usePart } from "../store";
import { NumberField, Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { OtherControls } from "../ui/OtherControls";
import { Block } from "./Block";
import { useEdit } from "./Controls";
import { monitorQuestion, windowAttributes } from "./questions";

// Windows of time in sequence: is the model still calibrated, or as it was in the first of them?
export function OverTimeSection({ about, model }: { about: About; model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const requests = useRequests();
  if (about.k !== 2) return <Hint>Windows are compared for two classes.</Hint>;
  const names = windowAttributes(about);
  if (!names.length) return <Hint>No attribute divides the rows into windows. Add a column such as the week.</Hint>;
  const by = calibration.window !== null && names.includes(calibration.window) ? calibration.window : names[0]!;
  return (
    <Block
      question={monitorQuestion({ data, calibration }, model, by)}
      title={`Calibration over time${model === null ? "" : ` of ${model}`}`}
      controls={
        <>
          <Select label={labelOf(requests, "monitor", "by")} value={by} choices={names.map((name) => ({ value: name, label: name }))} onChange={(window) => edit({ window })} />
          <NumberField label={labelOf(requests, "monitor", "reference")} value={calibration.reference} min={1} step={1} hint="Empty: are the windows calibrated?" onChange={(reference) => edit({ reference }, "reference windows")} />
          <OtherControls request="monitor" part="calibration" />
        </>
      }
      heading={false}
    />
  );
}
