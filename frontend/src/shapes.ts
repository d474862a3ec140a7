// What a value of every field of the state must be: an address is typed by people, too, and boards come
// from elsewhere. A field without a shape here does not compile.
import type { State } from "./state";

type Shape<Value> = (value: unknown) => value is Value;

export const PARTS = ["data", "overview", "curve", "reading", "calibration", "models", "matrix", "layout"] as const; // the board would make an address too long
type Part = (typeof PARTS)[number];
type Shapes = { [Name in Part]: { [Field in keyof State[Name]]-?: Shape<State[Name][Field]> } };

const text: Shape<string> = (value): value is string => typeof value === "string";
const flag: Shape<boolean> = (value): value is boolean => typeof value === "boolean";
const number: Shape<number> = (value): value is number => typeof value === "number" && Number.isFinite(value);
const whole: Shape<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const orNull =
  <Value>(shape: Shape<Value>): Shape<Value | null> =>
  (value): value is Value | null =>
    value === null || shape(value);

const oneOf =
  <Name extends string>(...names: Name[]): Shape<Name> =>
  (value): value is Name =>
    names.includes(value as Name);

const list =
  <Value>(shape: Shape<Value>): Shape<Value[]> =>
  (value): value is Value[] =>
    Array.isArray(value) && value.every(shape);

const pair =
  <Value>(shape: Shape<Value>): Shape<[Value, Value]> =>
  (value): value is [Value, Value] =>
    Array.isArray(value) && value.length === 2 && value.every(shape);

const isFields = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object" && !Array.isArray(value);

const named =
  <Value>(shape: Shape<Value>): Shape<Record<string, Value>> =>
  (value): value is Record<string, Value> =>
    isFields(value) && Object.values(value).every(shape);

const fields =
  <Value extends object>(shapes: { [Field in keyof Value]-?: Shape<Value[Field]> }): Shape<Value> =>
  (value): value is Value =>
    isFields(value) && (Object.entries(shapes) as [string, Shape<unknown>][]).every(([name, shape]) => Object.hasOwn(value, name) && shape(value[name]));

const asked = named((value): value is string | number | boolean => text(value) || number(value) || flag(value));

export const SHAPES: Shapes = {
  layout: { side: (value): value is number => number(value) && value >= 12 && value <= 28, folded: flag },
  data: { models: orNull(list(text)), folds: orNull(list(text)), where: text, weighted: flag, target: orNull(text), groups: orNull(text) },
  overview: {
    models: orNull(list(text)),
    payoffs: fields({ TP: number, FP: number, FN: number, TN: number }),
    amount: orNull(text),
    distribution: fields({ by: orNull(text), bins: orNull(whole), share: flag }),
  },
  curve: {
    preset: orNull(text),
    x: orNull(text),
    y: orNull(text),
    y2: orNull(text),
    y2_title: orNull(text),
    sort_by: orNull(text),
    direction: orNull(oneOf("descending", "ascending", "unsorted")),
    merge: orNull(oneOf("last", "average", "none")),
    average: orNull(oneOf("merge", "none", "vertical", "threshold", "smooth")),
    points: orNull(whole),
    thresholds: orNull(whole),
    span: orNull(number),
    band: oneOf("none", "folds", "bootstrap"),
    level: orNull(number),
    resamples: orNull(whole),
    multiclass: orNull(oneOf("per-class", "micro", "macro")),
    x_title: orNull(text),
    y_title: orNull(text),
    params: named(number),
    hull: flag,
  },
  reading: {
    optimum: orNull(oneOf("max", "min")),
    measure: orNull(text),
    subject_to: text,
    between: orNull(pair(number)),
    between_of: orNull(text),
    threshold_of: orNull(text),
    cases_of: orNull(text),
    difference: orNull(pair(text)),
    subgroups: orNull(text),
    iso_cost: orNull(fields({ fp: number, fn: number })),
  },
  calibration: {
    model: orNull(text),
    view: orNull(text),
    scheme: text,
    bins: whole,
    least: orNull(whole),
    distance: text,
    resamples: whole,
    axis: oneOf("probability", "log-odds"),
    others: flag,
    statistic: text,
    open: list(text),
    by: orNull(text),
    window: orNull(text),
    reference: orNull(whole),
    worst: flag,
    effect: text,
    sizes: named(number),
    power: number,
    level: number,
    n: orNull(whole),
    planStatistic: text,
    datasets: orNull(whole),
    method: text,
    asked,
  },
  models: {
    bins: text,
    view: text,
    ranges: orNull(flag),
    metric: orNull(text),
    pair: orNull(pair(text)),
    test: orNull(text),
    over: text,
    after: text,
    rope: orNull(number),
    test_share: orNull(number),
    adjust: text,
    level: number,
    asked,
  },
  matrix: {
    against: flag,
    shares: oneOf("none", "actual", "predicted", "all"),
    interval: oneOf("auto", "wilson", "bootstrap", "none"),
    level: number,
    cell: orNull(fields({ model: orNull(text), actual: text, predicted: text })),
    asked,
  },
};
