import { Disclosure } from "../ui/Disclosure";
import { Select, Switch } from "../ui/fields";
import type { Values } from "./roles";

const SCALES = [
  { value: "1", label: "From 0 to 1" },
  { value: "100", label: "In percent, from 0 to 100" },
  { value: "logits", label: "As logits (log-odds)" },
];

// How the probabilities are written, and what becomes of rows that are not complete.
export function ValuesChoice({ values, open, onChange }: { values: Values; open: boolean; onChange: (values: Values) => void }) {
  const written = values.logits ? "logits" : String(values.scale ?? 1);
  const other = SCALES.some(({ value }) => value === written) ? [] : [{ value: written, label: `In parts of ${written}` }];
  const choose = (value: string) => {
    const scale = Number(value);
    onChange({ ...values, logits: value === "logits", scale: scale > 1 ? scale : null });
  };
  return (
    <Disclosure class="values-choice" title="How are the values written?" open={open}>
      <Select label="Probabilities" value={written} choices={[...SCALES, ...other]} onChange={choose} />
      <Switch label="Divide the probabilities of every row by their sum if they do not sum to 1" checked={values.normalize} onChange={(normalize) => onChange({ ...values, normalize })} />
      <Switch label="Leave out rows in which a value is missing" checked={values.missing !== null} onChange={(on) => onChange({ ...values, missing: on ? "drop" : null })} />
    </Disclosure>
  );
}
