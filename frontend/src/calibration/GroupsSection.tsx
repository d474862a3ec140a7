import type { About } from "../answers";
import { usePart } from "../store";
import { Select } from "../ui/fields";
import { Hint } from "../ui/Notice";
import { OtherControls } from "../ui/OtherControls";
import { Block } from "./Block";
import { useEdit } from "./Controls";
import { groupsQuestion } from "./questions";
import { useRequests } from "../requests";
import { IgnoredSettings } from "./IgnoredSettings";

// The groups of one attribute, and the worst slice of all.
export function GroupsSection({ about, model }: { about: About; model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const edit = useEdit();
  const requests = useRequests();
  const names = about.attributes.map((one) => one.name);
  if (!names.length) return <Hint>The table has no attribute column to form groups by.</Hint>;
  const by = calibration.by !== null && names.includes(calibration.by) ? calibration.by : names[0]!;
  const parts = { data, calibration, requests };
  return (
    <>
      <Block
        question={groupsQuestion(parts, model, by)}
        title={`Calibration by ${by}`}
        controls={<><Select label="Groups of" value={by} choices={names.map((name) => ({ value: name, label: name }))} onChange={(wanted) => edit({ by: wanted })} /><OtherControls request="groups" part="calibration" /><IgnoredSettings section="groups" /></>}
        heading={false}
      />
      {calibration.worst ? (
        <Block question={groupsQuestion(parts, model, null)} title="Worst slice" controls={<><h3>Worst slice</h3><OtherControls request="slices" part="calibration" /><IgnoredSettings section="worst" /></>} heading={false} />
      ) : (
        <div class="row">
          <button onClick={() => edit({ worst: true })}>Search the worst slice</button>
          <Hint>Looks at all groups and pairs of groups of all columns; the p-value knows how many.</Hint>
        </div>
      )}
    </>
  );
}
