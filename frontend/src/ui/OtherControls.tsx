import { type Asked, type Choice, othersOf, type Param, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Disclosure } from "./Disclosure";
import { LinesField, NumberField, Select, Switch, TextField } from "./fields";

// A control for each parameter that a section does not ask for in its own way: a row of the table of
// requests that serves one more has its control at once. They are folded where the usual value serves most.
export function OtherControls({ request, part, attributes = [], folded = true }: { request: string; part: "calibration" | "models" | "matrix"; attributes?: readonly string[]; folded?: boolean }) {
  const asked = usePart((state) => state[part].asked);
  const store = useStore();
  const set = (key: string, value: Asked[string] | null) => {
    const { [key]: _, ...others } = asked;
    store.edit(part, { asked: value === null || value === "" ? others : { ...others, [key]: value } }, key);
  };
  const params = othersOf(useRequests(), request);
  if (!params.length) return null;
  const controls = params.map((param) => {
    const key = `${request}.${param.name}`;
    return <Control key={key} param={param} value={asked[key] ?? null} attributes={attributes} set={(value) => set(key, value)} />;
  });
  return folded ? <Disclosure class="more" title="More settings"><div class="cal-controls">{controls}</div></Disclosure> : <>{controls}</>;
}

// What it is follows from what may be given.
function Control({ param, value, attributes, set }: { param: Param; value: Asked[string] | null; attributes: readonly string[]; set: (value: Asked[string] | null) => void }) {
  const { label, help, least, most, choices, default: usual } = param;
  const hint = help ? { hint: help } : {};
  if (param.lines) return <LinesField label={label} value={String(value ?? "")} onChange={set} />;
  if (param.name === "by") return <Select label={label} value={String(value ?? attributes[0])} choices={attributes.map((name) => ({ value: name, label: name }))} onChange={set} />;
  if (choices.length) {
    const offered: readonly Choice[] = usual === null && !choices.some((one) => one.value === "") ? [{ value: "", label: "default" }, ...choices] : choices;
    const chosen = (value ?? usual ?? "") as string | number;
    const said = offered.find((one) => one.value === chosen)?.help; // of the choices in words the chosen one's alone
    return <Select label={label} value={chosen} choices={offered} onChange={(wanted) => set(wanted !== "" && typeof choices[0]!.value === "number" ? Number(wanted) : wanted)} {...(said ? { hint: said } : {})} />;
  }
  if (param.flag || typeof usual === "boolean") return <Switch label={label} checked={Boolean(value ?? usual)} onChange={set} />;
  if (typeof usual === "number" || least !== null) return <NumberField label={label} value={(value ?? usual) as number | null} {...(least === null ? {} : { min: least })} {...(most === null ? {} : { max: most })} onChange={set} {...hint} />;
  return <TextField label={label} value={String(value ?? usual ?? "")} onChange={set} {...hint} />;
}
