// How this room's state becomes questions; each names one model, the one shown large.
import type { About } from "../answers";
import type { Question } from "../host";
import { dataSection } from "../questions";
import type { State } from "../state";
import { askedOf, choiceOf, type Requests, SETTINGS } from "../requests";
import { calibrationDefaults, type CalibrationState } from "./state";

export type Parts = Pick<State, "data" | "calibration">;
type Asking = Parts & { requests: Requests };

// What a view is of: one event of a row, or several at once.
export const isBinary = (requests: Requests, view: string | null): boolean => !choiceOf(requests, "calibration", "view", view)?.several;
const isJoint = (requests: Requests, view: string | null): boolean => choiceOf(requests, "calibration", "view", view)?.binless ?? false;

export function chosenModels(about: About, state: Parts): string[] {
  const { models } = state.data;
  return models === null ? about.models : about.models.filter((name) => models.includes(name));
}

// The model shown large: the one asked for if it is among the chosen, else the first.
export function shownModel(about: About, state: Parts): string | null {
  const names = chosenModels(about, state);
  const wanted = state.calibration.model;
  return wanted !== null && names.includes(wanted) ? wanted : (names[0] ?? null);
}

export const isNumbered = (requests: Requests, scheme: string): boolean => choiceOf(requests, "calibration", "bins", scheme)?.number !== undefined;
export const hasEdges = (requests: Requests, scheme: string): boolean => choiceOf(requests, "calibration", "bins", scheme)?.edges ?? false;

export function binsText(requests: Requests, { scheme, bins, least, view }: Pick<CalibrationState, "scheme" | "bins" | "least" | "view">): string | null {
  if (isJoint(requests, view)) return null; // equal vectors are its groups
  const named = isNumbered(requests, scheme) ? `${scheme}:${bins}` : scheme;
  return least !== null && hasEdges(requests, scheme) ? `${named},min=${least}` : named;
}

function modelQuestion(kind: string, state: Parts, model: string | null, request = kind): Question {
  return { kind, data: dataSection(state.data), model, ...askedOf(state.calibration.asked, request) };
}

export function reliabilityQuestion(state: Asking, model: string | null): Question {
  const { view, distance, resamples, others, axis } = state.calibration;
  const asked = { ...modelQuestion("reliability", state, model, "calibration"), view, bins: binsText(state.requests, state.calibration), distance, resamples };
  return { ...asked, ...(others ? { others } : {}), ...(axis === "probability" ? {} : { axis }) }; // how it is drawn, not what is measured
}

export const isBinned = (requests: Requests, statistic: string): boolean => choiceOf(requests, "test", "statistic", statistic)?.binned ?? false;

// Which of the room's settings a test takes; the others it would refuse.
export function testQuestion(state: Asking, model: string | null): Question {
  const { statistic, view, distance, resamples } = state.calibration;
  const plain = { ...modelQuestion("test", state, model), statistic, resamples };
  if (isBinned(state.requests, statistic)) return { ...plain, view, bins: binsText(state.requests, state.calibration), distance };
  return { ...plain, view: isBinary(state.requests, view) ? view : null };
}

export function diagnosisQuestion(state: Asking, model: string | null): Question {
  const { view, resamples } = state.calibration;
  return { ...modelQuestion("diagnosis", state, model), view: isBinary(state.requests, view) ? view : null, resamples };
}

export function groupsQuestion(state: Asking, model: string | null, by: string | null): Question {
  const { view, distance, resamples, scheme } = state.calibration;
  const asked = { ...modelQuestion("groups", state, model, by === null ? "slices" : "groups"), by, resamples };
  const { requests } = state;
  if (by === null) return { ...asked, view: isJoint(requests, view) ? null : view };
  const binary = isBinary(requests, view);
  return { ...asked, view: binary ? view : null, bins: hasEdges(requests, scheme) && binary ? binsText(requests, state.calibration) : null, distance };
}

const MOST_WINDOWS = 200;
const TIME = /(^|[^a-z])(day|date|week|month|quarter|year|time|window|period)([^a-z]|$)/i;

// Attributes that divide the rows into a few windows, those of time first.
export function windowAttributes(about: About): string[] {
  const windows = ({ distinct, low, high }: About["attributes"][number]) => distinct ?? (typeof low === "number" && typeof high === "number" ? high - low + 1 : 0);
  const few = about.attributes.filter((one) => windows(one) >= 2 && windows(one) <= MOST_WINDOWS);
  const isTime = ({ kind, name }: About["attributes"][number]) => kind === "date" || TIME.test(name);
  return [...few.filter(isTime), ...few.filter((one) => !isTime(one))].map((one) => one.name);
}

export function monitorQuestion(state: Parts, model: string | null, by: string): Question {
  const { reference, resamples } = state.calibration;
  return { ...modelQuestion("monitor", state, model), by, reference, resamples };
}

export function sensitivityQuestion(state: Asking, model: string | null): Question {
  const { view, distance } = state.calibration;
  return { ...modelQuestion("sensitivity", state, model), view: isJoint(state.requests, view) ? null : view, distance };
}

export const effectText = (requests: Requests, { effect, sizes }: Pick<CalibrationState, "effect" | "sizes">): string =>
  `${effect}:${sizes[effect] ?? choiceOf(requests, "plan", "effect", effect)?.size?.usual ?? 0}`;

export function planQuestion(state: Asking, model: string | null): Question {
  const { power, level, n, planStatistic, datasets } = state.calibration;
  return { ...modelQuestion("plan", state, model), effect: effectText(state.requests, state.calibration), power, level, n, statistic: planStatistic, datasets };
}

export function recalibrationQuestion(state: Parts, model: string | null): Question {
  const { method, resamples } = state.calibration;
  return { ...modelQuestion("recalibration", state, model), method, resamples };
}

// A question as the row of its request says: the room's settings that it knows, and the values of its controls.
export function requestQuestion(state: Asking, model: string | null, request: string, attributes: readonly string[]): Question {
  const { calibration, requests } = state;
  const params = Object.keys(requests[request]!.params);
  const { view, distance, resamples } = calibration;
  const settings: Record<string, unknown> = { view: isBinary(requests, view) ? view : null, bins: binsText(requests, calibration), distance, resamples };
  const values = params.map((name) => [name, SETTINGS.includes(name) ? settings[name] : (calibration.asked[`${request}.${name}`] ?? (name === "by" ? attributes[0] : null))]);
  return { ...modelQuestion(request, state, model), ...Object.fromEntries(values) };
}

// What a section cannot take of the settings above, in words; it takes its usual ones instead.
export function ignoredSettings(section: "diagnosis" | "groups" | "worst" | "sensitivity", state: Asking): string[] {
  const { requests } = state;
  const { view, scheme, bins, least, distance } = state.calibration;
  const usual = calibrationDefaults;
  const binsChanged = scheme !== usual.scheme || (isNumbered(requests, scheme) && bins !== usual.bins) || least !== null;
  const known = section === "worst" || section === "sensitivity" ? !isJoint(requests, view) : isBinary(requests, view);
  const found: string[] = [];
  if (!known) found.push("Not available for this view; showing the default view.");
  if (section === "groups") {
    if (!hasEdges(requests, scheme)) found.push("Groups need bins with fixed edges; showing 15 equal-width bins.");
    return found;
  }
  const ignored = [...(binsChanged ? ["bins"] : []), ...(section !== "sensitivity" && distance !== usual.distance ? ["distance"] : [])];
  if (ignored.length) found.push(`The ${ignored.join(" and ")} chosen above ${ignored.length === 1 && ignored[0] === "distance" ? "does" : "do"} not apply here.`);
  return found;
}
