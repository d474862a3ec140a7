// The answer to `curve`, as this room reads it, and what a chart is told of it.
import type { CurveAnswer, CurveLine } from "../answers";
import { guideSeries } from "../chart/guides";
import type { ChartProps, Mark, Series } from "../chart/types";
import type { Question } from "../host";
import { numberText } from "../ui/format";

export interface Param {
  name: string;
  default: number;
  value: number;
}

export interface DrawnCurve extends CurveAnswer {
  params: Param[];
  area_name: string | null;
  undefined: Record<string, number>;
  hull_reason: string | null;
}

type Figure = Pick<ChartProps, "label" | "series" | "x" | "y" | "right" | "square" | "marks">;

const AT_LEAST = 2; // folds of one model from which on their lines are thin

// The question of the second y: the same curve with another formula, drawn on the right axis.
export function secondQuestion(question: Question): Question | null {
  const { y2, y2_title, ...first } = question;
  if (typeof y2 !== "string" || !y2.trim()) return null;
  const curve = { ...(first.curve as Record<string, unknown>), y: y2, y_title: y2_title ?? null, band: "none" };
  return { ...first, kind: "curve", curve, hull: false };
}

// `ends`: of every line, whether it is known to be undefined below its lowest threshold.
export function figureOf(answer: DrawnCurve, second: DrawnCurve | null, ends: boolean[] | null = null): Figure {
  const names = answer.x_names.length ? { names: answer.x_names } : {};
  const scale = answer.scale === "normal-deviate" ? { scale: answer.scale } : {};
  const lines = seriesOf(answer, ends);
  const subjects = new Set(answer.lines.map(subject)).size; // the second y has the colours after theirs
  const right = second ? seriesOf(second).map((one): Series => ({ ...one, id: `right ${one.id}`, name: `${one.name ? `${one.name}: ` : ""}${second.y_title}`, color: one.color + subjects, axis: "right", dash: "long" })) : [];
  return {
    label: answer.title,
    series: [...lines, ...hullsOf(answer), ...right, ...guideSeries(answer.guides)],
    x: { title: answer.x_title, ...names, ...scale, ...unit(answer), ...dated(answer, 0) },
    y: { title: answer.y_title, ...scale, ...unit(answer), ...dated(answer, 1), ...(answer.floor === null ? {} : { floor: answer.floor }) },
    ...(second ? { right: { title: second.y_title, ...dated(second, 1) } } : {}),
    square: answer.square && second === null,
    marks: deviations(answer),
  };
}

const dated = (answer: DrawnCurve, axis: 0 | 1): { dates?: true } => (answer.dates?.[axis] ? { dates: true } : {});

// The unit square is all that is shown of a curve that is drawn in it, as in its picture elsewhere.
const unit = (answer: DrawnCurve): Pick<ChartProps["x"], "domain"> => (answer.square ? { domain: [0, 1] } : {});

// Lines of one model and class have one colour, whatever their fold.
const subject = (line: CurveLine): string => JSON.stringify([line.model, line.target]);

export function seriesOf(answer: DrawnCurve, ends: boolean[] | null = null): Series[] {
  const subjects = [...new Set(answer.lines.map(subject))];
  const thin = answer.settings.average === "none" && answer.lines.length >= AT_LEAST * subjects.length;
  return answer.lines
    .map((line, place) => ({ line, color: subjects.indexOf(subject(line)), last: ends?.[place] ?? line.ends }))
    .filter(({ line }) => line.points > 0)
    .map(({ line, color, last }) => ({
      id: line.name || "curve",
      name: line.name || answer.title,
      color,
      x: line.x,
      y: line.y,
      threshold: line.threshold,
      style: styleOf(answer),
      ...(last ? { ends: true } : {}),
      ...(line.path ? { path: line.path } : {}),
      ...(line.more.accepted ? { accepted: line.more.accepted, rows: line.positives + line.negatives } : {}),
      ...(line.more.near ? { density: line.more.near } : {}),
      ...(thin ? { thin: true } : {}),
      ...band(answer, line),
      ...(answer.x_names.length && line.more.count ? { size: line.more.count } : {}),
    }));
}

function styleOf(answer: DrawnCurve): NonNullable<Series["style"]> {
  if (answer.x_names.length || answer.shape === "points") return "points";
  if (answer.settings.average === "threshold") return "line+points";
  return answer.shape === "step" && (answer.settings.average === "merge" || answer.settings.average === "none") ? "step" : "line";
}

// The interval of every point, or one deviation over the folds to either side.
function band(answer: DrawnCurve, line: CurveLine): Pick<Series, "low" | "high"> {
  const { y_low: low, y_high: high, y_sd: deviation } = line.more;
  if (low && high) return { low, high };
  if (answer.settings.band !== "folds" || !deviation) return {};
  return { low: line.y.map((y, place) => y - deviation[place]!), high: line.y.map((y, place) => y + deviation[place]!) };
}

// Where folds are averaged at thresholds, x varies, too.
function deviations(answer: DrawnCurve): Mark[] {
  if (answer.settings.band !== "folds") return [];
  return answer.lines.flatMap((line) => {
    const sd = line.more.x_sd;
    if (!sd) return [];
    return Array.from(line.x, (x, place): Mark => ({ kind: "segment", x: [x - sd[place]!, x + sd[place]!], y: [line.y[place]!, line.y[place]!], dash: "solid" })).filter((mark) => mark.kind === "segment" && mark.x.every(Number.isFinite) && mark.x[0] < mark.x[1]);
  });
}

function hullsOf(answer: DrawnCurve): Series[] {
  const subjects = [...new Set(answer.lines.map(subject))];
  return answer.lines.flatMap((line): Series[] =>
    line.hull ? [{ id: `hull ${line.name}`, name: `hull${line.name ? ` of ${line.name}` : ""}`, color: subjects.indexOf(subject(line)), x: line.hull.x, y: line.hull.y, style: "line", dash: "dash-dot-dot", thin: true }] : [],
  );
}

export interface AreaSaid {
  key: string;
  label: string;
  value: number;
  interval: string | null;
  method: string | undefined;
}

// What the area under every line comes to, and the interval of those that have one.
export function areasOf(answer: DrawnCurve): AreaSaid[] {
  const name = answer.area_name;
  if (name === null) return [];
  const level = `${numberText(100 * Number(answer.settings.level))} %`;
  return answer.lines.flatMap(({ name: line, area, area_range: ends, area_method: method }) =>
    area === null
      ? []
      : [{ key: line, label: line ? `${line}: ${name}` : name, value: area, interval: ends && `(${level}: ${numberText(ends[0])} to ${numberText(ends[1])})`, method: method ?? undefined }],
  );
}

// The line that says what a reader cannot see: how many points a curve has, of how many rows.
export const pointsText = (line: CurveLine): string =>
  `${numberText(line.points)} ${line.points === 1 ? "point" : "points"} of ${numberText(line.n)} rows`;
