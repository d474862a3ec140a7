// The curve that the room shows: drawn live, or on a word where that takes long.
import { useEffect, useRef, useState } from "preact/hooks";
import type { About } from "../answers";
import { type Answered, useAnswer, useClient } from "../ask";
import { useVocabulary } from "../formula/vocabulary";
import type { Question } from "../host";
import { curveQuestion } from "../questions";
import type { State } from "../state";
import { usePart } from "../store";
import { type DrawnCurve, secondQuestion } from "./answer";
import { presetOf } from "./edits";
import { type Control, heavy, inForce, problems } from "./rules";

const SLOW = 1000; // milliseconds that two answers in a row take: one may only have been unlucky
export const WIDTH = 800; // pixels that the points are thinned for

export interface CurveInRoom {
  found: Answered<DrawnCurve>;
  question: Question; // what is asked
  drawn: Question; // what the answer in sight is the answer to
  waiting: boolean; // for `compute`: the panel has changed
  compute: () => void;
  problem: Partial<Record<Control, string>>;
}

// With the second y, which files hold, too; a view asks for it by itself.
export function viewQuestion(state: Pick<State, "data" | "curve">): Question {
  const { y2, y2_title } = state.curve;
  return { ...curveQuestion(state, WIDTH), ...(y2?.trim() ? { y2, ...(y2_title ? { y2_title } : {}) } : {}) };
}

export function useCurve(about: About): CurveInRoom {
  const client = useClient();
  const vocabulary = useVocabulary();
  const data = usePart((state) => state.data);
  const curve = usePart((state) => state.curve);
  const live = viewQuestion({ data, curve });
  const key = JSON.stringify(live);
  const set = inForce(curve, presetOf(vocabulary, curve));
  const problem = problems(curve, set, about);
  const isHeavy = heavy(curve, set, about.rows);

  const [told, tell] = useState(key); // the last one that was asked for by a word
  const asked = useRef<{ question: Question; key: string; heavy: boolean } | null>(null);
  const took = useRef({ started: 0, last: 0, before: 0 });
  const known = client.known(firstOf(live)) !== undefined;
  const slow = isHeavy || (Math.min(took.current.last, took.current.before) > SLOW && !asked.current?.heavy);
  const held = asked.current !== null && asked.current.key !== key && (Object.keys(problem).length > 0 || (slow && told !== key && !known));
  if (!held && asked.current?.key !== key) asked.current = { question: live, key, heavy: isHeavy };
  const current = asked.current!;

  const found = useAnswer<DrawnCurve>(firstOf(current.question));
  const drawn = useRef(current.question);
  if (found.answer !== null && !found.stale) drawn.current = current.question;
  useEffect(() => {
    took.current.started = performance.now();
  }, [current.key]);
  useEffect(() => {
    if (found.busy || found.stale || found.error !== null) return;
    const { started, last } = took.current;
    took.current = { started, last: performance.now() - started, before: last };
  }, [found.busy, found.stale, found.answer]);

  return { found, question: current.question, drawn: drawn.current, waiting: held && Object.keys(problem).length === 0, compute: () => tell(key), problem };
}

export function firstOf(question: Question): Question {
  const { y2: _y2, y2_title: _title, ...first } = question;
  return first as Question;
}

export interface SecondCurve {
  second: Answered<DrawnCurve>;
  right: DrawnCurve | null; // as long as it belongs to the question: an earlier one is none
  last: DrawnCurve | null; // the last there was
}

export function useSecond(question: Question): SecondCurve {
  const asked = secondQuestion(question);
  const second = useAnswer<DrawnCurve>(asked);
  const last = asked === null ? null : second.answer;
  return { second, right: second.stale || second.error !== null ? null : last, last };
}
