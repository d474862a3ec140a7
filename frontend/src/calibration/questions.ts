// How this room's state becomes questions; each names one model, the one shown large.
import type { About } from "../answers";
import type { Question } from "../host";
import { dataSection } from "../questions";
import type { State } from "../state";
import { effectNamed, isBinary, SCHEMES } from "./choices";
import { calibrationDefaults, type CalibrationState } from "./state";

export type Parts = Pick<State, "data" | "calibration">;

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

export const isNumbered = (scheme: string): boolean => SCHEMES.find((one) => one.value === scheme)?.numbered ?? true;

export function binsText({ scheme, bins, least, view }: Pick<CalibrationState, "scheme" | "bins" | "least" | "view">): string | null {
  if (view === "joint") return null; // equal vectors are its groups
  const named = isNumbered(scheme) ? `${scheme}:${bins}` : scheme;
  return least !== null && hasEdges(scheme) ? `${named},min=${least}` : named;
}

export const hasEdges = (scheme: string): boolean => !["monotone-sweep", "isotonic", "one-per-point"].includes(scheme);

function modelQuestion(kind: string, state: Parts, model: string | null): Question {
  return { kind, data: dataSection(state.data), model };
}

export function reliabilityQuestion(state: Parts, model: string | null): Question {
  const { view, distance, resamples, others } = state.calibration;
  const asked = { ...modelQuestion("reliability", state, model), view, bins: binsText(state.calibration), distance, resamples };
  return others ? { ...asked, others } : asked; // how it is drawn, not what is measured
}

// Which of the room's settings a test takes; the others it would refuse.
export function testQuestion(state: Parts, model: string | null): Question {
  const { statistic, view, distance, resamples } = state.calibration;
  const plain = { ...modelQuestion("calibration-test", state, model), statistic, resamples };
  if (statistic === "ece") return { ...plain, view, bins: binsText(state.calibration), distance };
  return { ...plain, view: isBinary(view) ? view : null };
}

export function diagnosisQuestion(state: Parts, model: string | null): Question {
  const { view, resamples } = state.calibration;
  return { ...modelQuestion("diagnosis", state, model), view: isBinary(view) ? view : null, resamples };
}

export function groupsQuestion(state: Parts, model: string | null, by: string | null): Question {
  const { view, distance, resamples, scheme } = state.calibration;
  const asked = { ...modelQuestion("groups", state, model), by, resamples };
  if (by === null) return { ...asked, view: view === "joint" ? null : view };
  return { ...asked, view: isBinary(view) ? view : null, bins: hasEdges(scheme) && isBinary(view) ? binsText(state.calibration) : null, distance };
}

export function sensitivityQuestion(state: Parts, model: string | null): Question {
  const { view, distance } = state.calibration;
  return { ...modelQuestion("sensitivity", state, model), view: view === "joint" ? null : view, distance };
}

export const effectText = ({ effect, sizes }: Pick<CalibrationState, "effect" | "sizes">): string =>
  `${effect}:${sizes[effect] ?? effectNamed(effect).size}`;

export function planQuestion(state: Parts, model: string | null): Question {
  const { power, level, n, planStatistic, datasets } = state.calibration;
  return { ...modelQuestion("plan", state, model), effect: effectText(state.calibration), power, level, n, statistic: planStatistic, datasets };
}

export function recalibrationQuestion(state: Parts, model: string | null): Question {
  const { method, resamples } = state.calibration;
  return { ...modelQuestion("recalibration", state, model), method, resamples };
}

// What a section cannot take of the settings above, in words; it takes its usual ones instead.
export function unheard(section: "diagnosis" | "groups" | "worst" | "sensitivity", state: Parts): string[] {
  const { view, scheme, bins, least, distance } = state.calibration;
  const usual = calibrationDefaults;
  const binsChanged = scheme !== usual.scheme || (isNumbered(scheme) && bins !== usual.bins) || least !== null;
  const known = section === "worst" || section === "sensitivity" ? view !== "joint" : isBinary(view);
  const found: string[] = [];
  if (!known) found.push("The view above is none that this section knows: it looks at its usual one.");
  if (section === "groups") {
    if (!hasEdges(scheme)) found.push("Groups have bins with fixed edges: these are the usual 15 of equal width, not those above.");
    return found;
  }
  const ignored = [...(binsChanged ? ["bins"] : []), ...(section !== "sensitivity" && distance !== usual.distance ? ["distance"] : [])];
  if (ignored.length) found.push(`The ${ignored.join(" and ")} chosen above play${ignored.length === 1 && ignored[0] === "distance" ? "s" : ""} no part here.`);
  return found;
}
