// What the overview asks: existing questions, of the models that it shows.
import type { About } from "../answers";
import { binsText, type Parts as CalibrationParts, reliabilityQuestion, testQuestion } from "../calibration/questions";
import { calibrationDefaults } from "../calibration/state";
import { type CurveState, curveDefaults } from "../curves/state";
import type { Vocabulary } from "../formula/vocabulary";
import type { Question } from "../host";
import { scoresQuestion } from "../models/questions";
import { curveSection, dataSection } from "../questions";
import type { Requests } from "../requests";
import type { State } from "../state";

export const MOST_SHOWN = 4;
export const WIDTH = 400; // pixels that the points are thinned for

export type Parts = Pick<State, "data" | "calibration" | "models" | "overview">;

// The models chosen in the data panel; none where the table names none.
export const chosenModels = (about: About, { data }: CalibrationParts | Parts): string[] => (data.models === null ? about.models : about.models.filter((name) => data.models!.includes(name)));

export function shownModels(about: About, parts: Parts): string[] {
  const names = chosenModels(about, parts);
  const wanted = names.filter((name) => parts.overview.models?.includes(name));
  return (wanted.length ? wanted : names).slice(0, MOST_SHOWN);
}

// The state with no more models than are shown: a question of all models is the one of other rooms.
export function ofShown(about: About, parts: Parts): Parts {
  const shown = shownModels(about, parts);
  return shown.length === chosenModels(about, parts).length ? parts : { ...parts, data: { ...parts.data, models: shown } };
}

export interface OverviewQuestions {
  scores: Question;
  test: Question | null; // null: the table holds no probabilities
  reliability: Question | null;
  roc: Question | null; // null: nothing ranks the rows
  precisionRecall: Question | null;
  profit: Question | null;
}

export function overviewQuestions(about: About, state: Parts, requests: Requests, vocabulary: Vocabulary): OverviewQuestions {
  const parts = ofShown(about, state);
  const model = shownModels(about, state)[0] ?? null;
  const asking = { data: parts.data, calibration: parts.calibration, requests };
  const ranked = about.has_prob || about.has_score;
  const profit = profitCurve(parts, vocabulary);
  return {
    scores: scoresBeside(parts, about, requests),
    test: about.has_prob ? testQuestion({ ...asking, calibration: { ...parts.calibration, statistic: calibrationDefaults.statistic, view: null, asked: {} } }, model) : null, // one verdict a model, whatever is looked at
    reliability: about.has_prob ? reliabilityQuestion(asking, model) : null,
    roc: ranked ? curveQuestion(parts, { ...curveDefaults, preset: "roc" }) : null,
    precisionRecall: ranked ? curveQuestion(parts, { ...curveDefaults, preset: "precision-recall" }) : null,
    profit: ranked && profit !== null ? curveQuestion(parts, profit) : null,
  };
}

// The numbers of the cards: their calibration error is that of the diagram below, by its view, bins and draws.
function scoresBeside(parts: Parts, about: About, requests: Requests): Question {
  const { calibration } = parts;
  const bins = binsText(requests, calibration) ?? "";
  const usual = bins === binsText(requests, { ...calibrationDefaults, view: calibration.view });
  const asked = scoresQuestion({ ...parts, models: { ...parts.models, view: calibration.view ?? "", bins: usual ? "" : bins } }, about);
  return asked["resamples"] ? { ...asked, resamples: calibration.resamples } : asked;
}

const curveQuestion = ({ data }: Parts, curve: CurveState): Question => ({ kind: "curve", data: dataSection(data), curve: curveSection(curve), hull: false, width: WIDTH });

// The profit curve as the curves room holds it; null until the vocabulary has its formula.
export function profitCurve({ overview }: Pick<State, "overview">, { payoffs }: Vocabulary): CurveState | null {
  const formula = payoffs.formulas.find((one) => one.column === overview.amount) ?? payoffs.formulas[0];
  return formula === undefined ? null : { ...curveDefaults, preset: null, x: "threshold", y: formula.y, y_title: payoffs.y_title, params: { ...overview.payoffs } };
}
