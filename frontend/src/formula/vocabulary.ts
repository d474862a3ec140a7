// What formulas may name on the table at hand: asked once, then shared by all boxes.
import { useEffect, useState } from "preact/hooks";
import { type TableClient, useClient } from "../ask";

export interface Variable {
  name: string; // as it is written in a formula, in back-ticks where it must be
  title: string;
  group: "attribute" | "row" | "count" | "rate" | "threshold" | "constant";
  level: Level;
  kind: "number" | "truth" | "category";
  meaning: string;
  formula: string | null;
  categories: string[];
  attribute: boolean;
  threshold: boolean;
}

export type Level = "set" | "row" | "state";

export interface FunctionHelp {
  name: string;
  signature: string;
  meaning: string;
  level: Level | null;
}

export interface PresetHelp {
  name: string;
  title: string;
  x: string | null;
  y: string;
  x_title: string | null;
  y_title: string | null;
  explanation: string;
  needs: "x" | null;
  params: Record<string, number>;
  sort_by: string | null;
  direction: "descending" | "ascending" | "unsorted";
  merge: "last" | "average" | "none";
  average: "merge" | "none" | "vertical" | "threshold" | "smooth";
  shape: string;
  guide: string | null;
  scale: string;
  square: boolean;
}

// The profit per row as formulas of four payoffs; with a column every payoff is multiplied by it.
export interface PayoffHelp {
  y_title: string;
  usual: { TP: number; FP: number; FN: number; TN: number };
  formulas: { column: string | null; y: string }[];
}

export interface Vocabulary {
  variables: Variable[];
  functions: FunctionHelp[];
  presets: PresetHelp[];
  payoffs: PayoffHelp;
}

export const NO_VOCABULARY: Vocabulary = { variables: [], functions: [], presets: [], payoffs: { y_title: "", usual: { TP: 1, FP: -1, FN: 0, TN: 0 }, formulas: [] } };
const asked = new WeakMap<TableClient, Promise<Vocabulary>>();

export function useVocabulary(): Vocabulary {
  const client = useClient();
  const [found, setFound] = useState<Vocabulary>(NO_VOCABULARY);
  useEffect(() => {
    let wanted = true;
    const answer = asked.get(client) ?? (client.ask({ kind: "vocabulary" }) as Promise<Vocabulary>);
    asked.set(client, answer);
    answer.then(
      (vocabulary) => wanted && setFound(vocabulary),
      () => asked.delete(client), // asked again by the next box; a formula can be typed without it
    );
    return () => {
      wanted = false;
    };
  }, [client]);
  return found;
}
