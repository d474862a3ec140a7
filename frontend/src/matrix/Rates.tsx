import { DataTable, type Column } from "../ui/DataTable";
import { Num } from "../ui/Num";
import { Hint } from "../ui/Notice";
import type { MatrixEntry, RateLine } from "./answers";

// What is said of every class, and of the whole table.
export function Rates({ entry, weighted, compact }: { entry: MatrixEntry; weighted: boolean; compact: boolean }) {
  const whole = entry.rates.filter((rate) => rate.kind === "all");
  return (
    <div class="rates">
      <Grouped rates={entry.rates.filter((rate) => rate.kind !== "all")} />
      <DataTable caption="Of the whole table" columns={columns(levelText(entry), weighted)} rows={whole} />
      <Remarks entries={[entry]} />
      {!compact && <Reasons entries={[entry]} />}
    </div>
  );
}

// Two classes: a line a rate, a column a model.
export function RatesSideBySide({ entries, weighted, compact }: { entries: MatrixEntry[]; weighted: boolean; compact: boolean }) {
  const [first] = entries;
  if (!first) return null;
  const level = levelText(first);
  const caption = `Rates; the positive class is ${first.positive}; below each ${level ? `its ${level}, and ` : ""}${weighted ? "the effective number of rows in the denominator" : "the number of rows in the denominator"}`;
  const rate = (entry: MatrixEntry, name: string) => entry.rates.find((one) => one.name === name)!;
  return (
    <div class="rates">
      <DataTable
        caption={caption}
        columns={[
          { title: "Rate", value: (one: RateLine) => <span title={one.aliases.join(", ")}>{one.title}</span> },
          ...entries.map((entry) => ({ title: entry.model ?? "Value", value: (one: RateLine) => <Cell rate={rate(entry, one.name)} interval={level !== null} /> })),
        ]}
        rows={first.rates}
      />
      <Remarks entries={entries} />
      {!compact && <Reasons entries={entries} />}
    </div>
  );
}

const levelText = (entry: MatrixEntry): string | null => (entry.interval && entry.level !== null ? `${100 * entry.level} % interval` : null);

function Cell({ rate, interval }: { rate: RateLine; interval: boolean }) {
  return (
    <span class="rate">
      <Num value={rate.value} digits={3} name={rate.name} />
      <small>
        {interval && rate.low !== null && (
          <>
            <Ends rate={rate} />
            {"; "}
          </>
        )}
        of <Num value={rate.n} />
      </small>
    </span>
  );
}

function columns(level: string | null, weighted: boolean): Column<RateLine>[] {
  return [
    { title: "Rate", value: (rate) => <span title={rate.aliases.join(", ")}>{rate.title}</span> },
    { title: "Value", value: (rate) => <Num value={rate.value} digits={3} name={rate.name} /> },
    ...(level ? [{ title: level, value: (rate: RateLine) => <Ends rate={rate} /> }] : []),
    { title: weighted ? "Effective rows" : "Rows", value: (rate) => <Num value={rate.n} /> },
  ];
}

function Ends({ rate }: { rate: RateLine }) {
  if (rate.low === null || rate.high === null) return <>–</>;
  return (
    <span class="span">
      <Num value={rate.low} digits={3} /> to <Num value={rate.high} digits={3} />
    </span>
  );
}

// A line a class below the averages; a column a rate.
function Grouped({ rates }: { rates: RateLine[] }) {
  const names = [...new Map(rates.map((rate) => [rate.name, rate.title]))];
  const lines = new Map<string, Map<string, RateLine>>();
  for (const rate of rates) {
    const key = `${rate.kind} ${rate.group}`;
    lines.set(key, (lines.get(key) ?? new Map()).set(rate.name, rate));
  }
  return (
    <div class="rates-scroll">
      <DataTable
        caption="Every class against the rest"
        columns={[
          { title: "Class", value: ([, line]: [string, Map<string, RateLine>]) => groupName([...line.values()][0]!) },
          ...names.map(([name, title]) => ({
            title,
            value: ([, line]: [string, Map<string, RateLine>]) => {
              const rate = line.get(name);
              return rate ? (
                <>
                  <Num value={rate.value} digits={3} name={name} /> {rate.low !== null && <small><Ends rate={rate} /></small>}
                </>
              ) : null;
            },
          })),
        ]}
        rows={[...lines].sort((a, b) => averaged(b) - averaged(a))}
      />
    </div>
  );
}

const averaged = ([, line]: [string, Map<string, RateLine>]): number => Number([...line.values()][0]!.kind !== "class");

const groupName = (rate: RateLine) => (rate.kind === "class" ? rate.group : <em>{`${rate.kind} average`}</em>);

const MOST = 5;

// What is remarked of the rates, said once where it is so of every model.
export function remarksOf(entries: Pick<MatrixEntry, "model" | "remarks">[]): string[] {
  const texts = [...new Set(entries.flatMap((entry) => entry.remarks))];
  return texts.map((text) => {
    const whose = entries.filter((entry) => entry.remarks.includes(text));
    const named = whose.length < entries.length ? `${whose.map((entry) => entry.model).join(", ")}: ` : "";
    return named + (named ? text : text[0]!.toUpperCase() + text.slice(1));
  });
}

function Remarks({ entries }: { entries: MatrixEntry[] }) {
  const said = remarksOf(entries);
  if (!said.length) return null;
  return (
    <ul class="remarks" aria-label="Remarks on the rates">
      {said.map((remark) => (
        <li key={remark}>{remark}.</li>
      ))}
    </ul>
  );
}

function Reasons({ entries }: { entries: MatrixEntry[] }) {
  const wilson = entries.some((entry) => entry.interval === "wilson");
  const rates = entries.flatMap((entry) => entry.rates.map((rate) => ({ ...rate, model: entries.length > 1 ? entry.model : null })));
  const missing = rates.filter((rate) => rate.reason && (rate.value === null || !wilson));
  const reasons = [...new Set(missing.map((rate) => `${rate.model === null ? "" : `${rate.model}, `}${rate.title}${rate.kind === "class" ? ` of ${rate.group}` : ""}: ${rate.reason}`))];
  return (
    <>
      {wilson && <Hint>Wilson's interval is of shares of rows; the bootstrap gives one of every rate.</Hint>}
      {reasons.slice(0, MOST).map((reason) => <Hint key={reason}>{reason}.</Hint>)}
      {reasons.length > MOST && <Hint>{`… and ${reasons.length - MOST} more missing rates.`}</Hint>}
    </>
  );
}
