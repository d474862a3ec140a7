import { Num } from "../ui/Num";
import { Hint } from "../ui/Notice";
import { capital, valueOf } from "./words";
import type { Measured, MetricAbout, ScoreLine, ScoresAnswer, Span } from "./answers";
import { Disclosure } from "../ui/Disclosure";

// A line a model, a column a metric; below each number what it would be if the probabilities were true.
export function ScoresTable({ answer, rows, best = {}, compact = false }: { answer: ScoresAnswer; rows: string; best?: Record<string, string>; compact?: boolean }) {
  const shown = answer.metrics.filter((metric) => answer.results.some((line) => measured(line, metric.name)));
  const named = answer.results.some((line) => line.model !== null);
  const weighted = answer.results.some((line) => Math.abs(line.effective_n - line.n) > 0.5);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of scores">
        <table class="scores">
          <caption>{`Of ${rows} of each model`}</caption>
          <thead>
            <tr>
              {named && <th scope="col">Model</th>}
              <th scope="col" class="number">Rows</th>
              {weighted && <th scope="col" class="number">Effective rows</th>}
              {shown.map((metric) => (
                <th key={metric.name} scope="col" class="number" title={metric.formula}>
                  {capital(metric.title)}
                  <small>{metric.best}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.results.map((line) => (
              <tr key={line.model ?? ""}>
                {named && <th scope="row">{line.model}</th>}
                <td class="number"><Num value={line.n} /></td>
                {weighted && <td class="number"><Num value={line.effective_n} /></td>}
                {shown.map((metric) => (
                  <Score key={metric.name} metric={metric} line={line} best={line.model !== null && best[metric.name] === line.model} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!compact && answer.legend.map((text) => <Hint key={text}>{capital(text)}</Hint>)}
      <Reasons answer={answer} />
      {!compact && answer.results.some((line) => line.folds > 1) && <OverFolds answer={answer} />}
    </>
  );
}

const measured = (line: ScoreLine, name: string): Measured | undefined => line.metrics.find((one) => one.metric === name);

function Score({ metric, line, best }: { metric: MetricAbout; line: ScoreLine; best: boolean }) {
  const one = measured(line, metric.name);
  if (!one) return <td class="number">–</td>;
  const interval = metric.name === "roc-auc" ? line.roc_auc?.interval_range : null;
  return (
    <td class="number score" title={one.reason}>
      <Num value={valueOf(one)} name={metric.name} />
      {best && <span class="best-mark">best</span>}
      {interval && <SpanText span={interval} label={`${100 * line.roc_auc!.level} %:`} />}
      {one.null_range && <SpanText span={one.null_range} label="if calibrated:" />}
      {one.null_range && <Beyond value={one.value} span={one.null_range} />}
    </td>
  );
}

export function SpanText({ span, label }: { span: Span; label?: string }) {
  if (span[0] === null || span[1] === null) return null;
  return (
    <small class="span">
      {label && `${label} `}
      <Num value={span[0]} digits={3} /> to <Num value={span[1]} digits={3} />
    </small>
  );
}

function Beyond({ value, span }: { value: number | null; span: Span }) {
  if (value === null || span[0] === null || span[1] === null) return null;
  if (value > span[1]) return <small class="beyond">▲ above that range</small>;
  if (value < span[0]) return <small class="beyond">▼ below that range</small>;
  return null;
}

// Why numbers are missing, a sentence a reason.
export function Reasons({ answer }: { answer: ScoresAnswer }) {
  const told = new Map<string, Set<string>>();
  const note = (reason: string | undefined, what: string) => {
    if (reason) told.set(reason, (told.get(reason) ?? new Set()).add(what));
  };
  for (const line of answer.results) {
    const whose = line.model === null ? "" : `${line.model}, `;
    for (const one of line.metrics) note(one.reason, one.value === null && !one.view ? title(answer, one.metric) : `${whose}${title(answer, one.metric)}`);
    note(line.roc_auc?.reason, "interval of the area under the ROC curve");
  }
  return (
    <>
      {[...told].map(([reason, whats]) => (
        <Hint key={reason}>{`${capital([...whats].join("; "))}: ${reason}.`.replace("..", ".")}</Hint>
      ))}
    </>
  );
}

const title = (answer: ScoresAnswer, name: string): string => answer.metrics.find((metric) => metric.name === name)?.title ?? name;

const FOLDED = [
  ["log_loss", "Log loss"],
  ["brier_score", "Brier score"],
  ["accuracy", "Accuracy"],
] as const;

function OverFolds({ answer }: { answer: ScoresAnswer }) {
  const shown = FOLDED.filter(([name]) => answer.results.some((line) => `${name}_fold_mean` in line));
  if (!shown.length) return null;
  return (
    <Disclosure class="over-folds" title="Mean over the folds">
      <div class="scroll" tabIndex={0} role="region" aria-label="Mean over the folds">
        <table class="scores">
          <caption>Mean and standard deviation of the folds' scores</caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" class="number">Folds</th>
              {shown.map(([name, text]) => <th key={name} scope="col" class="number">{text}</th>)}
            </tr>
          </thead>
          <tbody>
            {answer.results.map((line) => (
              <tr key={line.model ?? ""}>
                <th scope="row">{line.model ?? "–"}</th>
                <td class="number"><Num value={line.folds} /></td>
                {shown.map(([name]) => (
                  <td key={name} class="number">
                    <Num value={line[`${name}_fold_mean`] as number | null} /> <small>± <Num value={line[`${name}_fold_deviation`] as number | null} digits={3} /></small>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Disclosure>
  );
}
