// What may be asked of the table at hand: the parameters of every request, and their choices in words.
import { createContext } from "preact";
import { useContext } from "preact/hooks";

interface Range {
  usual: number;
  least: number;
  most: number;
}

export interface Choice {
  value: string | number; // "" stands for the library's own choice
  label: string;
  help?: string;
  several?: boolean; // a view of several events at once
  binless?: boolean; // a view without bins
  number?: Range; // bins whose number is chosen
  edges?: boolean; // bins with edges, whose fewest rows may be set
  binned?: boolean; // a statistic of bins
  size?: Range & { unit: string; step: number }; // of an effect
  unless?: Record<string, string[]>; // parameter -> the values beside which this one means nothing
}

export interface Param {
  name: string;
  label: string;
  help: string;
  default: unknown;
  choices: Choice[];
  least: number | null;
  most: number | null;
  flag?: boolean;
  lines?: boolean; // a text of several lines, without which nothing is asked
}

export interface RequestRow {
  name: string;
  title: string;
  room: string; // with a section of it; "" for none
  section: string; // heading, where it has one
  params: Record<string, Param>;
}

export type Requests = Record<string, RequestRow>;

export interface RequestsAnswer {
  requests: Requests;
}

export const RequestsContext = createContext<Requests>({});
export const useRequests = (): Requests => useContext(RequestsContext);

export const choicesOf = (requests: Requests, request: string, param: string): Choice[] => requests[request]?.params[param]?.choices ?? [];

// What a control is called: the words of the row that it belongs to, as in help and messages.
export const labelOf = (requests: Requests, request: string, param: string): string => requests[request]?.params[param]?.label ?? param;

export const choiceOf = (requests: Requests, request: string, param: string, value: string | number | null): Choice | undefined =>
  choicesOf(requests, request, param).find((one) => one.value === (value ?? ""));

// The parameters that a section asks for in its own way, or takes from the settings of its page. Every
// other one that is served has a control of its kind.
export const OWN: Record<string, readonly string[]> = {
  calibration: ["view", "bins", "distance", "resamples"],
  test: ["statistic", "view", "bins", "distance", "resamples"],
  diagnosis: ["view", "resamples"],
  groups: ["by", "view", "bins", "distance", "resamples"],
  slices: ["view", "resamples"],
  sensitivity: ["view", "distance", "resamples"],
  plan: ["effect", "power", "level", "statistic", "n", "datasets"],
  monitor: ["by", "reference", "resamples"],
  recalibration: ["method"],
  scores: ["view", "bins", "level", "resamples"],
  compare: ["metrics", "models", "test", "after", "over", "groups", "rope", "target", "test_share", "adjust", "level"],
  confusion: ["threshold", "target", "shares", "interval", "level", "models"],
};
export const SETTINGS: readonly string[] = OWN["calibration"]!; // of the calibration page, which a request without a view of its own takes
export const othersOf = (requests: Requests, request: string): Param[] => Object.values(requests[request]?.params ?? {}).filter(({ name }) => !(OWN[request] ?? SETTINGS).includes(name));

// What the controls of other parameters hold, by request and parameter.
export type Asked = Record<string, string | number | boolean>;
export const askedOf = (asked: Asked, request: string): Record<string, unknown> => Object.fromEntries(Object.entries(asked).flatMap(([key, value]) => (key.startsWith(`${request}.`) ? [[key.slice(request.length + 1), value]] : [])));

// The choices that mean something beside the values of other parameters.
export const choicesBeside = (choices: Choice[], others: Record<string, string | null>): Choice[] =>
  choices.filter((one) => !Object.entries(one.unless ?? {}).some(([name, values]) => values.includes(others[name] ?? "")));
