import type { About } from "../answers";
import { usePart, useStore } from "../store";
import { Drawer } from "../ui/Drawer";
import { labelOf, useRequests } from "../requests";
import { Select, Switch } from "../ui/fields";
import { counted, numberText, unitOf } from "../ui/format";
import { Hints } from "../ui/Hints";
import { CheckList } from "./CheckList";
import { Filter } from "./Filter";
import { Findings } from "./Findings";
import { Averaging, Target } from "./Target";

// Which rows every room is about.
export function DataPanel({ about }: { about: About }) {
  const room = usePart((state) => state.room);
  return (
    <Drawer label="Data" folded="Data: choose models, folds and rows" class="data-panel">
      <Hints of={about} />
      <Parts about={about} />
      <Target about={about} />
      {room === "curves" && <Averaging about={about} />}
      <Filter about={about} />
      {about.has_weight && <Weights about={about} />}
      {about.groupable.length > 0 && <Groups about={about} />}
      {about.read !== null && <p class="hint read">{about.read}</p>}
      <Findings />
      <Reset />
    </Drawer>
  );
}

function Parts({ about }: { about: About }) {
  const store = useStore();
  const models = usePart((state) => state.data.models);
  const folds = usePart((state) => state.data.folds);
  return (
    <>
      {about.models.length > 1 && <CheckList title="Models" names={about.models} chosen={models} onChange={(chosen) => store.edit("data", { models: chosen })} />}
      {about.folds.length > 1 && <CheckList title="Folds" names={about.folds} chosen={folds} onChange={(chosen) => store.edit("data", { folds: chosen })} />}
      {about.folds.length <= 1 && <p class="hint">{about.folds.length === 1 ? "The table has one fold only." : "The table has no folds."}</p>}
    </>
  );
}

function Weights({ about }: { about: About }) {
  const store = useStore();
  const weighted = usePart((state) => state.data.weighted);
  return (
    <div class="weights">
      <Switch label="Weights count" checked={weighted} onChange={(on) => store.edit("data", { weighted: on })} />
      <p class="hint">{weighted ? `The effective sample size of the table is ${numberText(about.effective_n)} ${unitOf(about)}s of equal weight.` : `Each of the ${counted(about.n, unitOf(about))} counts the same.`}</p>
    </div>
  );
}

const TOGETHER = "Rows of one group, such as those of one patient, depend on each other: p-values, ranges and intervals allow for it.";

// Which rows belong together, in every room.
function Groups({ about }: { about: About }) {
  const store = useStore();
  const groups = usePart((state) => state.data.groups);
  const requests = useRequests();
  const usual = about.groups === null ? "none: independent rows" : `that of the table (${counted(about.groups, "group")})`;
  return (
    <Select
      label={labelOf(requests, "compare", "groups")}
      value={groups ?? ""}
      choices={[{ value: "", label: usual }, ...about.groupable.map((name) => ({ value: name, label: name }))]}
      onChange={(name) => store.edit("data", { groups: name || null })}
      hint={TOGETHER}
    />
  );
}

function Reset() {
  const store = useStore();
  const data = usePart((state) => state.data);
  const changed = data.models !== null || data.folds !== null || data.where.trim() !== "" || !data.weighted || data.target !== null || data.groups !== null;
  if (!changed) return null;
  return (
    <button type="button" onClick={() => store.edit("data", { models: null, folds: null, where: "", weighted: true, target: null, groups: null })}>
      Use all rows again
    </button>
  );
}
