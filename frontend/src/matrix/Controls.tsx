import type { About } from "../answers";
import { choicesOf, labelOf, useRequests } from "../requests";
import { usePart, useStore } from "../store";
import { Select } from "../ui/fields";
import { LevelSelect } from "../ui/LevelSelect";
import { OtherControls } from "../ui/OtherControls";
import type { MatrixState } from "./state";

export function Controls({ about }: { about: About }) {
  const { shares, interval, level, against } = usePart((state) => state.matrix);
  const { target } = usePart((state) => state.data);
  const store = useStore();
  const requests = useRequests();
  const label = (param: string) => labelOf(requests, "confusion", param);
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
      <Select label={label("shares")} value={shares} choices={choicesOf(requests, "confusion", "shares")} onChange={(value) => edit({ shares: value as MatrixState["shares"] })} />
      <Select label={label("interval")} value={interval} choices={choicesOf(requests, "confusion", "interval")} onChange={(value) => edit({ interval: value as MatrixState["interval"] })} />
      <LevelSelect label={label("level")} value={level} onChange={(one) => edit({ level: one })} />
      <OtherControls request="confusion" part="matrix" />
    </div>
  );
}
