import { useId } from "preact/hooks";
import { ExportMenu } from "../board/ExportMenu";
import { PinButton } from "../board/PinButton";
import { Chart } from "../chart/Chart";
import type { ChartProps, Mark } from "../chart/types";
import { unitOfQuestion } from "../cursor";
import type { Question } from "../host";
import { counted } from "../ui/format";
import { Num } from "../ui/Num";
import { areasOf, type DrawnCurve, figureOf, pointsText } from "./answer";
import { Disclosure } from "../ui/Disclosure";

interface Props {
  answer: DrawnCurve;
  second: DrawnCurve | null;
  question: Question;
  compact?: boolean;
  marks?: Mark[];
  between?: ChartProps["between"];
  brush?: ChartProps["brush"];
  usual?: number | undefined; // the threshold that is read as long as none was chosen
  ends?: boolean[] | null; // of every line, whether it is undefined below its lowest threshold
}

// A curve with its title and all that has to be known before believing it.
export function CurveFigure({ answer, second, question, compact = false, marks = [], between, brush, usual, ends = null }: Props) {
  const title = useId();
  const drawn = answer.lines.some((line) => line.points > 0);
  const figure = figureOf(answer, second, ends);
  return (
    <figure class="block curve-figure" aria-labelledby={title}>
      <header>
        <div class="curve-heads">
          <h2 id={title}>{answer.title}</h2>
          <p class="hint">{answer.described}</p>
        </div>
        {!compact && (
          <div class="tools">
            <PinButton question={question} title={answer.title} />
            <ExportMenu question={question} name={answer.title} />
          </div>
        )}
      </header>
      {drawn ? (
        <Chart {...figure} marks={[...(figure.marks ?? []), ...marks]} cursor unit={unitOfQuestion(question)} usual={usual} {...(between ? { between } : {})} {...(brush ? { brush } : {})} {...(compact ? { table: false, height: 340 } : {})} />
      ) : (
        <NothingDrawn answer={answer} />
      )}
      <Areas answer={answer} />
      {answer.spread && <p class="hint">{sentence(answer.spread)}</p>}
      {!compact && <Remarks answer={answer} second={second} />}
      {!compact && answer.explanation && (
        <Disclosure class="curve-reading" title="How to read it">
          <p>{answer.explanation}</p>
        </Disclosure>
      )}
    </figure>
  );
}

function NothingDrawn({ answer }: { answer: DrawnCurve }) {
  const reasons = [...new Set(answer.lines.map((line) => line.reason ?? "no point is defined"))];
  return (
    <div class="empty" role="status">
      <strong>There is nothing to draw</strong>
      {reasons.map((reason) => (
        <p key={reason}>{sentence(reason)}</p>
      ))}
    </div>
  );
}

// The area under every line that has one, with its interval.
function Areas({ answer }: { answer: DrawnCurve }) {
  const said = areasOf(answer);
  const name = answer.area_name;
  if (name === null || !said.length) return null;
  if (said.length > 12) {
    const areas = said.map((one) => one.value).sort((a, b) => a - b);
    return (
      <p class="areas">
        {name} of {counted(said.length, "line")}: <Num value={areas[0]} /> to <Num value={areas.at(-1)} />
      </p>
    );
  }
  return (
    <ul class="chips areas" aria-label={name}>
      {said.map(({ key, label, value, interval, method }) => (
        <li class="chip" key={key}>
          <span>{label}</span>
          <strong>
            <Num value={value} name={name} />
          </strong>
          {interval && <small title={method}>{interval}</small>}
        </li>
      ))}
    </ul>
  );
}

function Remarks({ answer, second }: { answer: DrawnCurve; second: DrawnCurve | null }) {
  const drawn = answer.lines.some((line) => line.points > 0);
  const empty = drawn ? answer.lines.filter((line) => line.points === 0) : [];
  const points = answer.lines.length === 1 && drawn ? [pointsText(answer.lines[0]!)] : [];
  const left = [answer, ...(second ? [second] : [])].flatMap((one) => Object.entries(one.undefined));
  const notes = [...new Set([...answer.notes, ...(second?.notes ?? [])])];
  if (!points.length && !empty.length && !left.length && !notes.length) return null;
  return (
    <ul class="hints curve-notes" aria-label="Notes on the curve">
      {points.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {empty.map((line) => (
        <li class="warning" key={line.name}>
          {line.name}: {line.reason}
        </li>
      ))}
      {left.map(([reason, count]) => (
        <li key={reason}>
          {counted(count, "point")} left out: {reason}
        </li>
      ))}
      {notes.map((note) => (
        <li class="warning" key={note}>
          {sentence(note)}
        </li>
      ))}
    </ul>
  );
}

// A note begins as a formula does where it begins with one.
const sentence = (text: string): string => (/^[a-z][a-z]+ /.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text);
