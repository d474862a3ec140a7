import { useState } from "preact/hooks";
import { DataTable } from "../ui/DataTable";
import { Select } from "../ui/fields";
import { numberText } from "../ui/format";
import { Hint } from "../ui/Notice";
import { Num } from "../ui/Num";
import type { Rate, ReadingAnswer, ReadLine } from "./answers";
import { colorsOf, nameOf, severalTargets, Swatch } from "./Swatch";
import { Disclosure } from "../ui/Disclosure";

const MOST = 3; // lines that are read side by side
const BELOW = ["missed", "wrong"]; // what the sentence above the counts leaves out

// The exact numbers at the threshold: a sentence, four counts and the rates, line by line.
export function Counts({ reading, compact = false }: { reading: ReadingAnswer; compact?: boolean }) {
  const [chosen, choose] = useState(0);
  const several = severalTargets(reading.lines);
  const colors = colorsOf(reading.lines);
  const named = reading.lines.map((line, place) => ({ line, name: nameOf(line, several), color: colors[place]! }));
  const shown = named.length > MOST ? named.slice(Math.min(chosen, named.length - 1)).slice(0, 1) : named;
  return (
    <>
      {reading.reason && <Hint>No counts: {reading.reason}.</Hint>}
      {named.length > MOST && (
        <Select label="Line" value={String(chosen)} choices={named.map((one, place) => ({ value: String(place), label: one.name }))} onChange={(value) => choose(Number(value))} />
      )}
      {shown.map((one) => (
        <Four key={one.name} {...one} alone={named.length === 1} compact={compact} />
      ))}
    </>
  );
}

interface Named {
  line: ReadLine;
  name: string;
  color: number;
}

function Four({ line, name, color, alone, compact }: Named & { alone: boolean; compact: boolean }) {
  if (line.TP === null || !line.classes) return null;
  const { positive, negative } = line.classes;
  return (
    <div class="four">
      {!alone && (
        <h3 class="named">
          <Swatch color={color} />
          {name}
        </h3>
      )}
      <p class="sentence">{line.presentation.summary}</p>
      <table class="counts">
        <caption class="visually-hidden">Counts of {name}</caption>
        <thead>
          <tr>
            <th scope="col">accepted</th>
            <th scope="col">not accepted</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={2}>
              {positive}
            </th>
          </tr>
          <tr>
            <Cell name="TP" value={line.TP} right />
            <Cell name="FN" value={line.FN} />
          </tr>
        </tbody>
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={2}>
              {negative}
            </th>
          </tr>
          <tr>
            <Cell name="FP" value={line.FP} />
            <Cell name="TN" value={line.TN} right />
          </tr>
        </tbody>
      </table>
      <p class="hint thirds">
        {line.presentation.details.filter(({ key }) => BELOW.includes(key)).map(({ key, label, text }) => (
          <span key={key} data-name={key}>
            {label}: {text}
          </span>
        ))}
      </p>
      {!compact && <Rates line={line} name={name} open={alone} />}
    </div>
  );
}

const Cell = ({ name, value, right = false }: { name: string; value: number | null; right?: boolean }) => (
  <td class={right ? "number right" : "number"}>
    <Num value={value} name={name} /> <small>{name}</small>
  </td>
);

function Rates({ line, name, open }: { line: ReadLine; name: string; open: boolean }) {
  if (!line.rates.length) return null;
  const ranged = line.rates.filter((rate) => rate.low !== null && rate.high !== null);
  return (
    <Disclosure open={open} title={<>Rates{open ? "" : <span class="visually-hidden"> of {name}</span>}</>}>
      <DataTable
        caption={ranged.length ? "With separate 95 % CIs" : "Values only, without intervals"}
        rows={line.rates}
        columns={[
          { title: "Rate", value: (rate) => <span title={rate.title}>{shortTitle(rate)}</span> },
          { title: "Value", value: (rate) => <OneRate rate={rate} /> },
        ]}
      />
      {withoutRange(line.rates).map(({ reason, names }) => (
        <Hint key={reason}>
          {names.length === line.rates.length ? "" : `${names.join(", ")}: `}
          {reason}.
        </Hint>
      ))}
    </Disclosure>
  );
}

// Which rates have a value and no interval, by the reason, said once.
export function withoutRange(rates: readonly Rate[]): { reason: string; names: string[] }[] {
  const bare = rates.filter((rate) => rate.value !== null && rate.low === null && rate.reason !== null);
  return [...new Set(bare.map((rate) => rate.reason!))].map((reason) => ({ reason, names: bare.filter((rate) => rate.reason === reason).map(shortTitle) }));
}

const shortTitle = (rate: Rate): string => rate.title.split(" (")[0]!;

function OneRate({ rate }: { rate: Rate }) {
  return (
    <span class="rate" title={rate.reason ?? undefined}>
      <Num value={rate.value} name={rate.name} />
      {rate.low !== null && rate.high !== null && (
        <small>
          {numberText(rate.low, 3)} to {numberText(rate.high, 3)}
        </small>
      )}
      {rate.value === null && rate.reason && <small>{rate.reason}</small>}
    </span>
  );
}
