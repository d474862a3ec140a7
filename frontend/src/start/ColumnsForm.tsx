import { useEffect, useState } from "preact/hooks";
import { failureOf } from "../ask";
import type { ColumnAbout, ColumnsAnswer, Failure, Roles, Writing } from "../host";
import { usePlace } from "../shell/place";
import { counted } from "../ui/format";
import { Hints } from "../ui/Hints";
import { Notice } from "../ui/Notice";
import { Waiting } from "../ui/Waiting";
import { ColumnsTable } from "./ColumnsTable";
import { PositiveChoice } from "./PositiveChoice";
import { ReadingsChoice } from "./ReadingsChoice";
import { ValuesChoice } from "./ValuesChoice";
import { WritingChoice } from "./WritingChoice";
import { classesOf, lastClass, missing, modelsOf, type Parts, partsOf, rolesOf, type Values, valuesOf } from "./roles";

interface Props {
  table: string;
  known?: Roles | null; // what was chosen before
  onOpened: (table: string, roles: Roles) => void;
  onCancel: () => void;
}

// Shows how the columns are read, or asks what they mean, and opens the table.
export function ColumnsForm({ table, known = null, onOpened, onCancel }: Props) {
  const { host } = usePlace();
  const [found, setFound] = useState<ColumnsAnswer | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [writing, setWriting] = useState<Writing>({ separator: known?.separator ?? null, decimal: known?.decimal ?? null, names: known?.names ?? null });
  const [text, setText] = useState(false); // whether it can be written in several ways
  useEffect(() => {
    let wanted = true;
    setFailure(null);
    host.columns(table, writing).then(
      (answer) => {
        if (!wanted) return;
        setFound(answer);
        setText(answer.written !== null);
      },
      (error: unknown) => {
        if (!wanted) return;
        const failed = failureOf(error);
        setFound(null);
        setFailure(failed);
        setText((before) => before || failed.kind === "input");
      },
    );
    return () => {
      wanted = false;
    };
  }, [host, table, writing]);
  const written = { ...writing, names: writing.names ?? found?.guess.names ?? null };
  const choice = text && <WritingChoice writing={written} found={found?.written ?? null} columns={found?.columns.length ?? null} onChange={setWriting} />;
  if (failure) {
    return (
      <div class="stack">
        {choice}
        <Notice failure={failure} />
        <div>
          <button type="button" onClick={onCancel}>
            Back
          </button>
        </div>
      </div>
    );
  }
  if (found === null) return <Waiting what="Reading the columns" />;
  const same = known !== null && known.separator === writing.separator && known.decimal === writing.decimal && known.names === writing.names;
  return (
    <div class="stack">
      {choice}
      <Hints of={found} />
      <Chosen key={JSON.stringify(found.guess)} table={table} found={found} first={same ? known : found.guess} onOpened={onOpened} onCancel={onCancel} />
    </div>
  );
}

interface ChosenProps extends Omit<Props, "known"> {
  found: ColumnsAnswer;
  first: Roles;
}

function Chosen({ table, found, first, onOpened, onCancel }: ChosenProps) {
  const { host } = usePlace();
  const { columns, guess, readings } = found;
  const [shown, setShown] = useState<Roles>(first); // what the form was filled in with
  const [parts, setParts] = useState<Parts>(() => partsOf(columns, first));
  const [positive, setPositive] = useState<string | null>(first.positive);
  const [values, setValues] = useState<Values>(() => valuesOf(first));
  const [reading, setReading] = useState<number | null>(null);
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const again = first !== guess; // it opened the table before, so that the problem is solved
  const classes = classesOf(columns, parts);
  const models = modelsOf(columns, parts);
  const meant = classes.some(({ name }) => name === positive) ? positive : lastClass(columns, parts);
  const [ordered, setOrdered] = useState(() => inOrder(columns, parts));
  const lacking = missing(columns, parts);
  const choose = (place: number) => {
    const { roles } = readings[place]!;
    setShown(roles);
    setReading(place);
    setTouched(true);
    setParts(partsOf(columns, roles));
    setOrdered(inOrder(columns, partsOf(columns, roles)));
    setPositive(roles.positive);
    setValues(valuesOf(roles));
    setFailure(null);
  };
  const open = async (event: Event) => {
    event.preventDefault();
    const { separator, decimal, names } = first;
    const roles = rolesOf(columns, parts, classes.length > 2 ? positive : meant, values, { prob: shown.prob, separator, decimal, names });
    setBusy(true);
    setFailure(null);
    try {
      onOpened(await host.open(table, roles), roles);
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="columns-form stack" onSubmit={open}>
      <p class="hint">
        {sizeOf(found)} {again || reading !== null ? "" : adviceOf(found)}
      </p>
      {found.problem && !again && !touched && <Notice failure={{ kind: "input", message: found.problem }} />}
      {!again && <ReadingsChoice readings={readings} chosen={reading} onChoose={choose} />}
      <ColumnsTable
        columns={ordered}
        parts={parts}
        first={partsOf(columns, shown)}
        classes={classes}
        onChange={(column, part) => {
          setParts({ ...parts, [column]: part });
          setReading(null);
          setTouched(true);
          setFailure(null);
        }}
      />
      {models && classes.length <= 2 ? (
        <p class="hint models">
          {models.names.length} columns hold {`P(${models.target})`}: each is a model, and their rows are paired. {models.target} is the positive class.
        </p>
      ) : (
        <PositiveChoice classes={classes} chosen={meant} onChange={setPositive} />
      )}
      {meant === guess.positive && !again && found.positive_why && <p class="hint">{found.positive_why}</p>}
      <ValuesChoice values={values} open={!found.complete} onChange={setValues} />
      {lacking && <p class="hint lacking">{lacking}</p>}
      {failure && <Notice failure={failure} />}
      <footer class="row">
        <button class="primary" disabled={busy || lacking !== null}>
          {busy ? "Opening …" : "Open"}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </footer>
    </form>
  );
}

// The columns that play a part stand first.
const inOrder = (columns: readonly ColumnAbout[], parts: Parts): ColumnAbout[] => [...columns].sort((a, b) => Number(parts[a.name] === "attribute") - Number(parts[b.name] === "attribute"));

function sizeOf({ name, rows, looked_at, columns }: ColumnsAnswer): string {
  const known = rows === null ? `the first ${counted(looked_at, "row")}` : counted(rows, "row");
  return `${name}: ${known}, ${counted(columns.length, "column")}.`;
}

function adviceOf({ complete, readings, guess }: ColumnsAnswer): string {
  if (readings.length) return "Choose a reading, or say what each column means.";
  if (guess.actual === null) return "Say what each column means.";
  return complete ? "This is how the table is read. Please check it." : "The table would be read in this way. Please check it.";
}
