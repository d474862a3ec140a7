import { useState } from "preact/hooks";
import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import type { Question } from "../host";
import { Answer } from "../ui/Answer";
import { DataTable } from "../ui/DataTable";
import { counted, numberText, percentText } from "../ui/format";
import { Hint } from "../ui/Notice";
import { Notes } from "../ui/Presentation";
import type { View } from "../views";
import type { CurveColumns, RecalibrationAnswer } from "./answers";
import { capital, ReliabilityChart } from "./ReliabilityChart";
import { Span } from "./Span";

const UNIT: [number, number] = [0, 1];

// Whether recalibration helps, by which method, and what would change.
export const RecalibrationView: View = ({ question, compact }) => {
  const [sure, setSure] = useState(false);
  const asked: Question = sure ? { ...question, sure } : question;
  const found = useAnswer<RecalibrationAnswer>(asked);
  return (
    <Answer of={found} what={question["method"] === "auto" ? "Trying all methods" : "Recalibrating the rows"}>
      {(answer) => (answer.tried === false ? <TooMany answer={answer} go={() => setSure(true)} /> : <Recalibrated answer={answer} compact={compact ?? false} />)}
    </Answer>
  );
};

function TooMany({ answer, go }: { answer: RecalibrationAnswer; go: () => void }) {
  const seconds = answer.seconds ?? 0;
  const time = seconds > 90 ? counted(Math.round(seconds / 60), "minute") : counted(Math.max(1, Math.round(seconds)), "second");
  return (
    <div class="notice">
      <p>Trying all methods on {counted(answer.n, "row")} may take about {time}. A single method, chosen above, is quicker.</p>
      <button onClick={go}>Try them all</button>
    </div>
  );
}

function Recalibrated({ answer, compact }: { answer: RecalibrationAnswer; compact: boolean }) {
  const { advice, effect, map, before, after } = answer;
  const presentation = answer.method === "auto" ? advice?.presentation : effect?.presentation;
  const title = titleOf(answer, effect?.method);
  return (
    <div class="stack">
      {answer.reason && <div class="notice"><p>{capital(answer.reason)}.</p></div>}
      {presentation && <p data-name="advice">{presentation.summary}</p>}
      {answer.method === "auto" && effect && !compact && <p data-name="effect">{effect.presentation.summary}</p>}
      {effect && (
        <div class="cal-side">
          {before && <Side curve={before} other={after} name="Before" p={effect.test_before} />}
          {after && <Side curve={after} other={before} name={`After ${title}`} p={effect.test_after} />}
          {map && !compact && <MapChart map={map} title={title} />}
        </div>
      )}
      {effect && !compact && <Changes effect={effect} title={title} />}
      {!compact && answer.method === "auto" && advice && <Methods advice={advice} />}
      {!compact && answer.method === "auto" && advice && <Notes presentation={advice.presentation} />}
      {!compact && effect && <Notes presentation={effect.presentation} />}
      {!compact && answer.legend?.map((text) => <Hint key={text}>{text}</Hint>)}
    </div>
  );
}

const titleOf = (answer: RecalibrationAnswer, method: string | undefined): string => answer.methods.find((row) => row.name === method)?.title ?? method ?? "";

function Side({ curve, other, name, p }: { curve: CurveColumns; other: CurveColumns | null | undefined; name: string; p: number | null }) {
  return (
    <figure>
      <figcaption>
        {name}
        <br />
        <small>
          error {numberText(curve.value, 3)}
          {p !== null && `, test p = ${numberText(p, 3)}`}
        </small>
      </figcaption>
      <ReliabilityChart curve={curve} label={`Reliability diagram ${name.toLowerCase()}`} beside={other ? [other] : []} compact />
    </figure>
  );
}

function MapChart({ map, title }: { map: NonNullable<RecalibrationAnswer["map"]>; title: string }) {
  const rating = map.x_title === "rating";
  return (
    <figure>
      <figcaption>
        The map
        <br />
        <small>fitted on {counted(map.n, "row")}</small>
      </figcaption>
      <Chart
        label={`Map of ${title}`}
        square={!rating}
        series={map.lines.map((line, place) => ({ id: line.name, name: line.name, color: place, x: line.x, y: line.y, style: "line", dash: "solid" }))}
        marks={rating ? [] : [{ kind: "segment", x: UNIT, y: UNIT, dash: "dashed", label: "unchanged" }]}
        x={{ title: capital(map.x_title), ...(rating ? {} : { domain: UNIT }) }}
        y={{ title: capital(map.y_title), domain: UNIT }}
        table={false}
      />
      {map.note && <Hint>{map.note}</Hint>}
    </figure>
  );
}

const span = ([low, high]: [number | null, number | null]) => <Span low={low} high={high} />;

function Changes({ effect, title }: { effect: NonNullable<RecalibrationAnswer["effect"]>; title: string }) {
  return (
    <DataTable
      caption={`The same ${counted(effect.n, "row")} before and after ${title}`}
      rows={effect.changes}
      columns={[
        { title: "Score", value: (row) => row.title },
        { title: "Before", value: (row) => row.before },
        { title: "After", value: (row) => row.after },
        { title: "Difference", value: (row) => row.difference },
        { title: "95 % CI", value: (row) => span(row.interval_range) },
        { title: "p", p: true, value: (row) => row.p_value },
        { title: "Better", value: (row) => row.better },
      ]}
    />
  );
}

function Methods({ advice }: { advice: NonNullable<RecalibrationAnswer["advice"]> }) {
  const tried = advice.methods.filter((row) => row.reason === undefined);
  return (
      <DataTable
        caption={`Every method, cross-fitted in ${advice.parts} parts; the log loss without recalibration is ${advice.log_loss_before === null ? "infinite" : numberText(advice.log_loss_before)}`}
        rows={tried}
        columns={[
          { title: "Method", value: (row) => row.title },
          { title: "Log loss", value: (row) => row.log_loss },
          { title: "Difference", value: (row) => row.log_loss_difference },
          { title: "95 % CI", value: (row) => span(row.log_loss_range) },
          { title: "p", p: true, value: (row) => row.p_value },
          { title: "Brier score", value: (row) => row.brier_score },
          { title: "AUC, mean of the parts", value: (row) => row.roc_auc_after },
          { title: "Ties", value: (row) => percentText(row.ties_created) },
          { title: "Helps", value: (row) => (row.helps ? "yes" : "no") },
        ]}
      />
  );
}
