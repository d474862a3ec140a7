import { useEffect, useState } from "preact/hooks";
import { failureOf } from "../ask";
import type { ColumnsAnswer, Failure, Roles, Writing } from "../host";
import { usePlace } from "../shell/place";
import { counted } from "../ui/format";
import { Switch } from "../ui/fields";
import { Hints } from "../ui/Hints";
import { Notice } from "../ui/Notice";
import { Waiting } from "../ui/Waiting";
import { ColumnsTable } from "./ColumnsTable";
import { PositiveChoice } from "./PositiveChoice";
import { WritingChoice } from "./WritingChoice";
import { classesOf, missing, type Parts, partsOf, rolesOf } from "./roles";

interface Props {
  table: string;
  known?: Roles | null; // what was chosen before
  onOpened: (table: string, roles: Roles) => void;
  onCancel: () => void;
}

// Asks what the columns mean, beginning with the guess, and opens the table.
export function ColumnsForm({ table, known = null, onOpened, onCancel }: Props) {
  const { host } = usePlace();
  const [found, setFound] = useState<ColumnsAnswer | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [writing, setWriting] = useState<Writing>({ separator: known?.separator ?? null, decimal: known?.decimal ?? null });
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
  const choice = text && <WritingChoice writing={writing} found={found?.written ?? null} onChange={setWriting} />;
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
  const same = known !== null && known.separator === writing.separator && known.decimal === writing.decimal;
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
  const [parts, setParts] = useState<Parts>(() => partsOf(found.columns, first));
  const [positive, setPositive] = useState<string | null>(first.positive);
  const [normalize, setNormalize] = useState(first.normalize);
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const classes = classesOf(found.columns, parts);
  const meant = classes.some(({ name }) => name === positive) ? positive : (classes.at(-1)?.name ?? null);
  const [ordered] = useState(() => [...found.columns].sort((a, b) => Number(parts[a.name] === "attribute") - Number(parts[b.name] === "attribute")));
  const lacking = missing(found.columns, parts);
  const open = async (event: Event) => {
    event.preventDefault();
    const roles = rolesOf(found.columns, parts, meant, normalize, { separator: first.separator, decimal: first.decimal });
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
        {counted(found.rows, "row")}, {counted(found.columns.length, "column")}. The meanings below are a guess. Please check
        them.
      </p>
      <ColumnsTable
        columns={ordered}
        parts={parts}
        classes={classes}
        onChange={(column, part) => {
          setParts({ ...parts, [column]: part });
          setTouched(true);
          setFailure(null);
        }}
      />
      <PositiveChoice classes={classes} chosen={meant} onChange={setPositive} />
      {meant === found.guess.positive && !known(first, found.guess) && found.positive_why && <p class="hint">{found.positive_why}</p>}
      {normalize || Object.values(parts).some((part) => part.startsWith("prob:")) ? <Switch label="Divide the probabilities of every row by their sum if they do not sum to 1" checked={normalize} onChange={setNormalize} /> : null}
      {!touched && found.problem && !known(first, found.guess) && <Notice failure={{ kind: "input", message: found.problem }} />}
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

// Whether the roles are those that opened the table before, so that the guess's problem is not theirs.
const known = (first: Roles, guess: Roles): boolean => first !== guess;
