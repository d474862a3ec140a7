import type { About } from "../answers";
import { usePart } from "../store";
import { type Param, useRequests } from "../requests";
import { NumberField, Select, Switch, TextField } from "../ui/fields";
import { VIEWS } from "../views";
import { Block } from "./Block";
import { useEdit } from "./Controls";
import { isBinary, requestQuestion, SETTINGS } from "./questions";
import { Section } from "./Section";
import { Hint } from "../ui/Notice";

// A section for each request whose row names this room and that has no view of its own.
export function RequestSections({ room, about, model }: { room: string; about: About; model: string | null }) {
  const requests = useRequests();
  const rows = Object.values(requests).filter((row) => row.room === room && !Object.hasOwn(VIEWS, row.name));
  return (
    <>
      {rows.map((row) => (
        <Section key={row.name} name={row.name} title={row.section || row.title} text={row.section ? row.title : ""}>
          {() => <RequestSection request={row.name} about={about} model={model} />}
        </Section>
      ))}
    </>
  );
}

function RequestSection({ request, about, model }: { request: string; about: About; model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const requests = useRequests();
  const row = requests[request]!;
  const own = Object.values(row.params).filter(({ name }) => !SETTINGS.includes(name));
  const names = about.attributes.map((one) => one.name);
  if ("by" in row.params && !names.length) return <Hint>The table has no attribute column to form groups by.</Hint>;
  const ignored = "view" in row.params && !isBinary(requests, calibration.view);
  return (
    <Block
      question={requestQuestion({ data, calibration, requests }, model, request, names)}
      title={`${row.section || row.title}${model === null ? "" : ` (${model})`}`}
      controls={
        <>
          {own.map((param) => <Control key={param.name} request={request} param={param} attributes={names} />)}
          {ignored && <Hint>Not available for this view; showing the default view.</Hint>}
        </>
      }
      heading={false}
    />
  );
}

// The control of a parameter follows from what may be given for it.
function Control({ request, param, attributes }: { request: string; param: Param; attributes: string[] }) {
  const asked = usePart((state) => state.calibration.asked);
  const edit = useEdit();
  const key = `${request}.${param.name}`;
  const value = asked[key] ?? null;
  const set = (wanted: string | number | boolean | null) => {
    const { [key]: _, ...others } = asked;
    edit({ asked: wanted === null || wanted === "" ? others : { ...others, [key]: wanted } }, key);
  };
  const usual = param.default;
  const hint = param.help ? { hint: param.help } : {};
  if (param.name === "by") return <Select label={param.label} value={String(value ?? attributes[0])} choices={attributes.map((name) => ({ value: name, label: name }))} onChange={set} />;
  if (param.choices.length) return <Select label={param.label} value={(value ?? usual ?? "") as string | number} choices={param.choices} onChange={(wanted) => set(typeof param.choices[0]!.value === "number" ? Number(wanted) : wanted)} {...hint} />;
  if (typeof usual === "boolean") return <Switch label={param.label} checked={Boolean(value ?? usual)} onChange={set} />;
  if (typeof usual === "number" || param.least !== null) return <NumberField label={param.label} value={(value ?? usual) as number | null} {...(param.least === null ? {} : { min: param.least })} {...(param.most === null ? {} : { max: param.most })} onChange={set} {...hint} />;
  return <TextField label={param.label} value={String(value ?? usual ?? "")} onChange={set} {...hint} />;
}
