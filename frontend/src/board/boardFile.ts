// A board as a file, and back: every field is checked, and what does not fit is refused as a whole.
import { newId, MOST_PINS } from "./pins";
import type { BoardState, Pin } from "./state";

export const FORMAT = 1;
export const LARGEST = 5_000_000; // bytes
const LONGEST_NAME = 500;
const LONGEST_TEXT = 50_000;

export interface DataAbout {
  name: string;
  n: number;
  fingerprint: string;
}

export interface SavedBoard {
  board: BoardState;
  data: DataAbout;
  state: string; // the workbench when it was saved, as the fragment of a URL
}

type Fields = Record<string, unknown>;

export class Refused extends Error {}

export function boardText(saved: SavedBoard, version: string): string {
  const pins = saved.board.pins.map(({ title, note, question, from, wide }) => ({ title, note, question, from, ...(wide ? { wide } : {}) }));
  const whole = { plumbline: version, format: FORMAT, data: saved.data, name: saved.board.name, pins, state: saved.state };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

export function readBoard(text: string, known: (kind: string) => boolean): SavedBoard {
  const whole = fields(parsed(text), "the file");
  if (typeof whole["plumbline"] !== "string" || typeof whole["format"] !== "number") {
    throw new Refused("This is not a board of Plumbline.");
  }
  if (whole["format"] !== FORMAT) {
    throw new Refused(`This board comes from another version of Plumbline: ${whole["plumbline"].slice(0, 40)} (format ${whole["format"]}); this version reads format ${FORMAT}.`);
  }
  const about = fields(whole["data"], "data");
  const data = {
    name: wording(about["name"], "data.name", LONGEST_NAME),
    n: count(about["n"], "data.n"),
    fingerprint: wording(about["fingerprint"], "data.fingerprint", 64),
  };
  const board = { name: wording(whole["name"], "name", LONGEST_NAME), pins: readPins(whole["pins"], known) };
  return { board, data, state: wording(whole["state"], "state", LONGEST_TEXT) };
}

export function readPins(value: unknown, known: (kind: string) => boolean): Pin[] {
  if (!Array.isArray(value)) throw new Refused("This is not a board: its cards are missing.");
  if (value.length > MOST_PINS) throw new Refused(`This board has ${value.length} cards; a board holds ${MOST_PINS}.`);
  return value.map((item: unknown, place) => readPin(item, `card ${place + 1}`, known));
}

function readPin(item: unknown, what: string, known: (kind: string) => boolean): Pin {
  const pin = fields(item, what);
  const question = pin["question"] === null ? null : fields(pin["question"], `the question of ${what}`);
  if (question !== null) {
    const kind = wording(question["kind"], `the kind of ${what}`, 60);
    if (kind === "calibration-test") return readPin({ ...pin, question: { ...question, kind: "test" } }, what, known); // as boards of 0.2 have it
    if (!known(kind)) throw new Refused(`This board cannot be opened: ${what} has the unknown kind “${kind}”.`);
    if (JSON.stringify(question).length > LONGEST_TEXT) throw new Refused(`This board cannot be opened: ${what} is too long.`);
  }
  return {
    id: newId(),
    title: wording(pin["title"], `the title of ${what}`, LONGEST_NAME),
    note: wording(pin["note"], `the note of ${what}`, LONGEST_TEXT),
    question: question as Pin["question"],
    ...(pin["wide"] === true ? { wide: true } : {}),
    from: pin["from"] === null ? null : wording(pin["from"], `the state of ${what}`, LONGEST_TEXT),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refused("This is not a board: the file is not JSON.");
  }
}

function fields(value: unknown, what: string): Fields {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Refused(`This board cannot be opened: ${what} holds no fields.`);
  return value as Fields;
}

function wording(value: unknown, what: string, longest: number): string {
  if (typeof value !== "string") throw new Refused(`This board cannot be opened: ${what} is not text.`);
  if (value.length > longest) throw new Refused(`This board cannot be opened: ${what} is longer than ${longest} characters.`);
  return value;
}

function count(value: unknown, what: string): number {
  if (!Number.isInteger(value) || (value as number) < 0) throw new Refused(`This board cannot be opened: ${what} is not a number of rows.`);
  return value as number;
}
