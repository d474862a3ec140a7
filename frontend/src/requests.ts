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

// The choices that mean something beside the values of other parameters.
export const choicesBeside = (choices: Choice[], others: Record<string, string | null>): Choice[] =>
  choices.filter((one) => !Object.entries(one.unless ?? {}).some(([name, values]) => values.includes(others[name] ?? "")));
