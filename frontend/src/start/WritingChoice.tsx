import type { Writing } from "../host";
import { Select } from "../ui/fields";

const SEPARATORS = [
  { value: ",", label: "Comma" },
  { value: ";", label: "Semicolon" },
  { value: "\t", label: "Tab" },
  { value: "|", label: "Bar" },
];
const DECIMALS = [
  { value: ".", label: "Point, as in 0.5" },
  { value: ",", label: "Comma, as in 0,5" },
];

const FIRST = [
  { value: "", label: "Names of the columns" },
  { value: "values", label: "Values: there is no header" },
];

type Marks = { separator: string; decimal: string };

// How a text file is written: recognised, until the reader says it.
export function WritingChoice({ writing, found, columns, onChange }: { writing: Writing; found: Marks | null; columns: number | null; onChange: (writing: Writing) => void }) {
  const own = (mark: string | undefined, known: { value: string; label: string }[]) => {
    const name = known.find(({ value }) => value === mark)?.label.split(",")[0]!.toLowerCase() ?? mark;
    return { value: "", label: name === undefined ? "Recognise it" : `Recognised: ${name}` };
  };
  const numbered = () => Array.from({ length: columns ?? 0 }, (_, place) => `column_${place + 1}`);
  const marks = (name: keyof Marks, known: { value: string; label: string }[]) => [own(writing[name] === null ? found?.[name] : undefined, known), ...known];
  return (
    <div class="writing">
      <Select label="Separator" value={writing.separator ?? ""} choices={marks("separator", SEPARATORS)} onChange={(mark) => onChange({ ...writing, separator: mark || null })} />
      <Select label="Decimal mark" value={writing.decimal ?? ""} choices={marks("decimal", DECIMALS)} onChange={(mark) => onChange({ ...writing, decimal: mark || null })} />
      {columns !== null && <Select label="First line" value={writing.names ? "values" : ""} choices={FIRST} onChange={(line) => onChange({ ...writing, names: line ? numbered() : null })} />}
    </div>
  );
}
