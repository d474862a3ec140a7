import { Listbox } from "../ui/Listbox";
import { type Part, quoted } from "./completion";
import type { Variable, Vocabulary } from "./vocabulary";

const GROUPS: [Variable["group"], string][] = [
  ["attribute", "Columns of the table"],
  ["row", "Of every row"],
  ["count", "Counts"],
  ["rate", "Rates"],
  ["threshold", "Threshold and target"],
];

// Puts a name, or a value of a category, where the caret is.
export function Inserts({ vocabulary, part, of, onInsert }: { vocabulary: Vocabulary; part: Part; of: string; onInsert: (text: string) => void }) {
  const rows = part === "where" || part === "sort_by";
  const variables = vocabulary.variables.filter((variable) => !rows || variable.level !== "state");
  const categories = variables.filter((variable) => variable.categories.length > 0 && variable.name !== "trueClass");
  return (
    <div class="inserts">
      <Insert label="Insert variable" of={of} onInsert={onInsert} groups={GROUPS.map(([group, title]) => ({ title, options: variables.filter((one) => one.group === group).map((one) => ({ text: one.name, label: one.title === one.name ? one.name : `${one.name}: ${one.title}` })) }))} />
      <Insert label="Insert value" of={of} onInsert={onInsert} groups={categories.map((one) => ({ title: one.name, options: one.categories.map((value) => ({ text: quoted(value), label: value })) }))} />
    </div>
  );
}

interface Group {
  title: string;
  options: { text: string; label: string }[];
}

function Insert({ label, of, groups, onInsert }: { label: string; of: string; groups: Group[]; onInsert: (text: string) => void }) {
  const choices = groups.flatMap(({ title, options }) => options.map(({ text, label }) => ({ value: text, label, group: title })));
  return <Listbox label={`${label} into ${of}`} value="" shown={label} choices={choices} disabled={choices.length === 0} onChange={onInsert} />;
}
