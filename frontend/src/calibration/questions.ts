// How this room's state becomes questions; each names one model, the one shown large.
import type { About } from "../answers";
import type { Question } from "../host";
import { dataSection } from "../questions";
import type { State } from "../state";
import { effectNamed, isBinary, SCHEMES } from "./choices";
import type { CalibrationState } from "./state";

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
  const asked = { ...modelQuestion("groups", state, model), by, view: isBinary(view) ? view : null, resamples };
  return by === null ? asked : { ...asked, bins: hasEdges(scheme) && isBinary(view) ? binsText(state.calibration) : null, distance };
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

// A word of a shell's command line, quoted where it must be.
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function recalibrateLines(file: string, method: string, model: string | null): { shell: string; python: string } {
  const chosen = model === null ? "" : ` --models ${shellWord(model)}`;
  const named = method === "auto" ? "" : ` --method ${method}`;
  const select = model === null ? "" : `.select(model=${JSON.stringify(model)})`;
  const python = [
    "import plumbline as pb",
    "",
    `holdout = pb.read(${JSON.stringify(file)})${select}`,
    `fitted = pb.recalibrate(holdout${method === "auto" ? "" : `, ${JSON.stringify(method)}`})`,
    'calibrated = fitted(pb.read("new.csv"))',
  ];
  return { shell: `plumbline recalibrate ${shellWord(file)}${chosen}${named} --apply new.csv --out calibrated.csv --save-map map.json`, python: python.join("\n") };
}
