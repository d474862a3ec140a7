// What may be chosen in this room, in words; the values are the library's own names.
import type { About } from "../answers";
import type { Choice } from "../ui/fields";

export interface Scheme extends Choice {
  numbered: boolean;
}

export const SCHEMES: Scheme[] = [
  { value: "equal-width", label: "Equal width", numbered: true },
  { value: "equal-size", label: "Equally many rows", numbered: true },
  { value: "tail-width", label: "Narrow near 0 and 1", numbered: true },
  { value: "log-odds-width", label: "Equal width in log-odds", numbered: true },
  { value: "freedman-diaconis", label: "Freedman–Diaconis rule", numbered: false },
  { value: "monotone-sweep", label: "Monotone sweep", numbered: false },
  { value: "isotonic", label: "Isotonic", numbered: false },
  { value: "one-per-point", label: "One row a bin", numbered: false },
];

export const DISTANCES: Choice[] = [
  { value: "absolute", label: "Absolute" },
  { value: "square", label: "Square" },
  { value: "log", label: "Log" },
  { value: "chi-square", label: "Chi-square" },
  { value: "hellinger", label: "Hellinger" },
  { value: "overestimation", label: "Too high only" },
  { value: "underestimation", label: "Too low only" },
];
const ADDING_UP = ["absolute", "square", "log", "chi-square"]; // those that the joint view has

export const distancesOf = (view: string | null): Choice[] => (view === "joint" ? DISTANCES.filter((one) => ADDING_UP.includes(one.value)) : DISTANCES);

export const STATISTICS: Choice[] = [
  { value: "omnibus", label: "Omnibus: several at once" },
  { value: "ece", label: "Calibration error in bins" },
  { value: "log-loss", label: "Log loss" },
  { value: "brier-score", label: "Brier score" },
  { value: "chi-square", label: "Chi-square" },
  { value: "spiegelhalter", label: "Spiegelhalter's Z" },
  { value: "hosmer-lemeshow", label: "Hosmer–Lemeshow" },
  { value: "cox", label: "Cox: slope and intercept" },
  { value: "kolmogorov-smirnov", label: "Kolmogorov–Smirnov" },
  { value: "kuiper", label: "Kuiper" },
  { value: "skce", label: "Kernel calibration error" },
];

export const RESAMPLES: Choice[] = [199, 999, 9999].map((draws) => ({ value: String(draws), label: draws.toLocaleString("en") }));

export interface Effect extends Choice {
  size: number; // the usual one
  unit: string;
  hint: string;
  min: number;
  max?: number;
  step: number;
}

export const EFFECTS: Effect[] = [
  { value: "overconfident", label: "Overconfident", size: 1.2, unit: "Temperature", hint: "Above 1: the probabilities are too sharp.", min: 1, max: 100, step: 0.05 },
  { value: "underconfident", label: "Underconfident", size: 0.8, unit: "Temperature", hint: "Below 1: the probabilities are too blunt.", min: 0.01, max: 1, step: 0.05 },
  { value: "shift", label: "Shifted probability", size: 0.05, unit: "Shift", hint: "The truth is that much higher; below 0 lower.", min: -1, max: 1, step: 0.01 },
  { value: "random-labels", label: "Random labels", size: 0.05, unit: "Share of rows", hint: "In this share the label says nothing.", min: 0, max: 1, step: 0.01 },
  { value: "ece", label: "True calibration error", size: 0.03, unit: "Error", hint: "Overconfidence of this size.", min: 0, max: 1, step: 0.01 },
];

export const effectNamed = (name: string): Effect => EFFECTS.find((one) => one.value === name) ?? EFFECTS[0]!;

// The views of a table: which event of a row is looked at. The empty value is the usual one.
export function viewsOf(about: About, target: string | null): Choice[] {
  const positive = target ?? about.positive;
  if (about.k === 2) {
    const other = about.classes.map((one) => one.name).find((name) => name !== positive);
    return [
      { value: "", label: `Is it ${positive}? (usual)` },
      { value: `one-vs-rest:${other}`, label: `Is it ${other}?` },
      { value: "top-label", label: "Is the likelier class right?" },
      { value: "classwise", label: "Both classes in turn" },
      { value: "joint", label: "Whole vectors" },
    ];
  }
  return [
    { value: "", label: "Is the most likely class right? (usual)" },
    ...about.classes.map((one) => ({ value: `one-vs-rest:${one.name}`, label: `Is it ${one.name}?` })),
    { value: "top-k:2", label: "Is it among the 2 most likely?" },
    ...(about.k > 5 ? [{ value: "top-k:5", label: "Is it among the 5 most likely?" }] : []),
    { value: "classwise", label: "Every class in turn" },
    { value: "joint", label: "Whole vectors" },
  ];
}

export const isBinary = (view: string | null): boolean => view === null || !["classwise", "joint"].includes(view);
