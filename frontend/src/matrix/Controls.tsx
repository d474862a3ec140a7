import type { About } from "../answers";
import { usePart, useStore } from "../store";
import { Select } from "../ui/fields";
import { LevelSelect } from "../ui/LevelSelect";
import type { MatrixState } from "./state";

const sharesOf = (weighted: boolean) => [
  { value: "none", label: weighted ? "Weights" : "Counts" },
  { value: "actual", label: "Shares of the actual class" },
  { value: "predicted", label: "Shares of the predicted class" },
  { value: "all", label: weighted ? "Shares of all weight" : "Shares of all rows" },
];
const INTERVALS = [
  { value: "auto", label: "What fits the rows" },
  { value: "wilson", label: "Wilson's, of shares of rows" },
  { value: "bootstrap", label: "Bootstrap, of every rate" },
  { value: "none", label: "None" },
];

export function Controls({ about }: { about: About }) {
  const { shares, interval, level, against } = usePart((state) => state.matrix);
  const { target, weighted } = usePart((state) => state.data);
  const store = useStore();
  const edit = (patch: Partial<MatrixState>) => store.edit("matrix", patch);
  const see = (name: string) => {
    const chosen = about.classes.findIndex((one) => `class ${one.name}` === name);
    store.change({
      matrix: { ...store.state.matrix, against: chosen >= 0, cell: null },
      ...(chosen >= 0 ? { data: { ...store.state.data, target: about.classes[chosen]!.name } } : {}),
    });
  };
  return (
    <div class="controls">
      {about.k > 2 && (
        <Select
          label="Classes"
          value={against ? `class ${target ?? about.positive}` : "all"}
          choices={[{ value: "all", label: `All ${about.k}` }, ...about.classes.map((one) => ({ value: `class ${one.name}`, label: `${one.name} against the rest` }))]}
          onChange={see}
        />
      )}
      <Select label="Cells show" value={shares} choices={sharesOf(about.has_weight && weighted)} onChange={(value) => edit({ shares: value as MatrixState["shares"] })} />
      <Select label="Interval of the rates" value={interval} choices={INTERVALS} onChange={(value) => edit({ interval: value as MatrixState["interval"] })} />
      <LevelSelect label="Level of the intervals" value={level} onChange={(one) => edit({ level: one })} />
    </div>
  );
}
