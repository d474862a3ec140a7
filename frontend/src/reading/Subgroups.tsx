import type { About } from "../answers";
import { useAnswer } from "../ask";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { Chart } from "../chart/Chart";
import { ladderOf, pointAt } from "../chart/search";
import type { Mark } from "../chart/types";
import type { Unit } from "../cursor";
import { usePart, useStore } from "../store";
import { Answer } from "../ui/Answer";
import { Select } from "../ui/fields";
import { counted } from "../ui/format";
import { Num } from "../ui/Num";
import type { Group, SubgroupsAnswer } from "./answers";
import { type Shown, subgroupsQuestion } from "./questions";
import { colorsOf, Swatch } from "./Swatch";
import { usePausedThreshold } from "./usePaused";

const PAUSE = 80; // milliseconds that the threshold stands still before the groups follow

export function SubgroupControls({ shown, about }: { shown: Shown; about: About }) {
  const store = useStore();
  const reading = usePart((state) => state.reading);
  const { answer, unit } = shown;
  const question = subgroupsQuestion(shown, reading);
  const found = useAnswer<SubgroupsAnswer>(question);
  const keep = ({ where }: Group) => {
    const filter = store.state.data.where.trim();
    store.edit("data", { where: filter ? `(${filter}) and (${where})` : where });
  };
  return (
    <>
      <div class="row end controls">
        <Select label="Groups by" value={reading.subgroups ?? ""} choices={about.attributes.map(({ name }) => ({ value: name, label: name }))} onChange={(name) => store.edit("reading", { subgroups: name })} />
        {question && (
          <span class="tools">
            <PinButton question={question} title={`${answer.title} by ${reading.subgroups}`} />
            <ExportMenu question={question} name={`${answer.title} by ${reading.subgroups}`} />
          </span>
        )}
      </div>
      <Answer of={found} what="Drawing the groups">
        {(told) => <SubgroupsFound groups={told} unit={unit} square={answer.square} onKeep={keep} />}
      </Answer>
    </>
  );
}

export function SubgroupsFound({ groups, unit, square = false, onKeep }: { groups: SubgroupsAnswer; unit: Unit; square?: boolean; onKeep?: (group: Group) => void }) {
  const lines = groups.groups.find((group) => group.lines.length > 0)?.lines ?? [];
  const colors = colorsOf(lines);
  return (
    <>
      {lines.length > 1 && (
        <ul class="chips" aria-label="Lines">
          {lines.slice(0, 8).map((line, place) => (
            <li key={line.name} class="named">
              <Swatch color={colors[place]!} />
              {line.name}
            </li>
          ))}
        </ul>
      )}
      <div class="multiples">
        {groups.groups.map((group) => (
          <OneGroup key={group.where} group={group} of={groups} unit={unit} square={square} {...(onKeep ? { onKeep } : {})} />
        ))}
      </div>
    </>
  );
}

// Where the lines of a group stand at the shared threshold.
function standing(lines: Group["lines"], threshold: number | null): Mark[] {
  if (threshold === null) return [];
  return lines.flatMap((line): Mark[] => {
    const { x, y } = line;
    const place = pointAt(line.threshold, ladderOf(line.threshold), threshold, line.ends);
    if (place < 0) return [];
    const at = x[place] === line.threshold[place] ? threshold : x[place]!; // x is the threshold
    return Number.isFinite(at) ? [{ kind: "point", x: at, y: y[place]! }] : [];
  });
}

function OneGroup({ group, of, unit, square, onKeep }: { group: Group; of: SubgroupsAnswer; unit: Unit; square: boolean; onKeep?: (group: Group) => void }) {
  const colors = colorsOf(group.lines);
  const drawn = group.lines.filter((line) => line.x.length > 0);
  const marks = standing(drawn, usePausedThreshold(PAUSE, unit));
  return (
    <figure class="multiple">
      <figcaption>
        <strong>{group.name}</strong> <small>{counted(group.n, of.unit)}</small>
      </figcaption>
      {group.reason !== null || !drawn.length ? (
        <p class="empty">{group.reason ?? "Nothing is defined here."}</p>
      ) : (
        <Chart
          label={`${group.name}: ${of.y_title} by ${of.x_title}`}
          series={group.lines.map((line, place) => ({ id: line.name || "all", name: line.name || "all rows", color: colors[place]!, x: line.x, y: line.y, threshold: line.threshold }))}
          x={{ title: of.x_title, ...(of.x_domain ? { domain: of.x_domain } : {}), ...(of.x_names.length ? { names: of.x_names } : {}) }}
          y={{ title: of.y_title, ...(of.y_domain ? { domain: of.y_domain } : {}) }}
          square={square}
          height={230}
          table={false}
          legend={false}
          marks={marks}
        />
      )}
      {of.area_name !== null && drawn.length > 0 && (
        <p class="hint">
          {of.area_name}:{" "}
          {drawn.slice(0, 4).map((line, place) => (
            <span key={line.name}>
              {place > 0 && ", "}
              {line.name && `${line.name} `}
              <Num value={line.area} digits={3} name="area" />
            </span>
          ))}
        </p>
      )}
      {onKeep && (
        <button class="link" onClick={() => onKeep(group)}>
          Keep only {group.name}
        </button>
      )}
    </figure>
  );
}
