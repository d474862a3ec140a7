import { useState } from "preact/hooks";
import type { AttributeAbout } from "../answers";
import { useVocabulary } from "../formula/vocabulary";
import { usePart, useStore } from "../store";
import { Check, Field, NumberField, Select } from "../ui/fields";
import { dayText, numberText } from "../ui/format";
import { both, clause, named, type Wanted } from "./choosing";
import { Disclosure } from "../ui/Disclosure";

// A value of an attribute, chosen rather than written: it becomes a part of the formula.
export function QuickFilter({ attributes }: { attributes: readonly AttributeAbout[] }) {
  const store = useStore();
  const where = usePart((state) => state.data.where);
  const { variables } = useVocabulary();
  const [name, setName] = useState(attributes[0]!.name);
  const attribute = attributes.find((one) => one.name === name) ?? attributes[0]!;
  const [wanted, setWanted] = useState<Wanted>(() => nothing(attribute));
  const bare = new Set(variables.filter((one) => one.attribute).map((one) => one.name));
  const made = clause(named(attribute.name, bare), wanted);
  const choose = (next: string) => {
    setName(next);
    setWanted(nothing(attributes.find((one) => one.name === next)!));
  };
  const add = () => {
    if (made === null) return;
    store.edit("data", { where: both(where, made) });
    setWanted(nothing(attribute));
  };
  return (
    <Disclosure class="quick" title="Filter by a value">
      <Select label="Attribute" value={attribute.name} choices={attributes.map((one) => ({ value: one.name, label: one.name }))} onChange={choose} />
      {wanted.kind === "number" && <Range attribute={attribute} wanted={wanted} onChange={setWanted} />}
      {wanted.kind === "date" && <Days attribute={attribute} wanted={wanted} onChange={setWanted} />}
      {wanted.kind === "truth" && (
        <Select label="Value" value={String(wanted.value)} choices={[{ value: "true", label: "true" }, { value: "false", label: "false" }]} onChange={(value) => setWanted({ kind: "truth", value: value === "true" })} />
      )}
      {wanted.kind === "category" && <Values attribute={attribute} wanted={wanted} onChange={setWanted} />}
      <button type="button" disabled={made === null} onClick={add}>
        Add to the filter
      </button>
    </Disclosure>
  );
}

function nothing(attribute: AttributeAbout): Wanted {
  if (attribute.kind === "category") return { kind: "category", values: [] };
  if (attribute.kind === "truth") return { kind: "truth", value: true };
  return attribute.kind === "date" ? { kind: "date", low: "", high: "" } : { kind: "number", low: null, high: null };
}

type Numbers = Extract<Wanted, { kind: "number" }>;
type Dates = Extract<Wanted, { kind: "date" }>;
type Names = Extract<Wanted, { kind: "category" }>;

function Range({ attribute, wanted, onChange }: { attribute: AttributeAbout; wanted: Numbers; onChange: (wanted: Wanted) => void }) {
  return (
    <>
      <div class="pair">
        <NumberField live label="From" value={wanted.low} onChange={(low) => onChange({ ...wanted, low })} />
        <NumberField live label="To" value={wanted.high} onChange={(high) => onChange({ ...wanted, high })} />
      </div>
      <p class="hint">{`Values go from ${numberText(attribute.low)} to ${numberText(attribute.high)}.`}</p>
    </>
  );
}

function Days({ attribute, wanted, onChange }: { attribute: AttributeAbout; wanted: Dates; onChange: (wanted: Wanted) => void }) {
  const [least, most] = [attribute.low, attribute.high].map((days) => (typeof days === "number" ? dayText(days) : undefined));
  const ends = { min: least, max: most };
  return (
    <>
      <div class="pair">
        <Field label="From">{(id) => <input id={id} type="date" {...ends} value={wanted.low} onInput={(event) => onChange({ ...wanted, low: event.currentTarget.value })} />}</Field>
        <Field label="To">{(id) => <input id={id} type="date" {...ends} value={wanted.high} onInput={(event) => onChange({ ...wanted, high: event.currentTarget.value })} />}</Field>
      </div>
      <p class="hint">{`Days go from ${least} to ${most}.`}</p>
    </>
  );
}

function Values({ attribute, wanted, onChange }: { attribute: AttributeAbout; wanted: Names; onChange: (wanted: Wanted) => void }) {
  const values = attribute.values ?? [];
  const more = (attribute.distinct ?? values.length) - values.length;
  const turn = (name: string) => {
    const left = wanted.values.filter((one) => one !== name);
    onChange({ ...wanted, values: left.length < wanted.values.length ? left : [...wanted.values, name] });
  };
  return (
    <fieldset>
      <legend>Values</legend>
      <div class={values.length > 8 ? "names boxed" : "names"}>
        {values.map((name) => (
          <Check key={name} label={name} checked={wanted.values.includes(name)} onChange={() => turn(name)} />
        ))}
      </div>
      {more > 0 && <p class="hint">{`${numberText(more)} more values; type them into the formula.`}</p>}
    </fieldset>
  );
}
