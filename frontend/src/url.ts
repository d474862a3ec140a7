// The state as the fragment of a URL: only what differs from the defaults, a part a name.
import { soundData } from "./data/state";
import { DEFAULTS, ROOMS, type Room, type State } from "./state";

type Fields = Record<string, unknown>;
const PARTS = ["data", "curve", "reading", "calibration", "models", "matrix"] as const; // the board would make it too long

export function toFragment(state: State): string {
  const query = new URLSearchParams();
  if (state.table) query.set("table", state.table);
  if (state.room !== DEFAULTS.room) query.set("room", state.room);
  if (state.threshold !== null) query.set("threshold", String(state.threshold));
  for (const part of PARTS) {
    const changed = differing(state[part] as unknown as Fields, DEFAULTS[part] as unknown as Fields);
    if (Object.keys(changed).length) query.set(part, JSON.stringify(changed));
  }
  const text = query.toString();
  return text ? `#${text}` : "";
}

// What a fragment cannot mean is left at its default: a URL is typed by people, too.
export function fromFragment(fragment: string): State {
  const query = new URLSearchParams(fragment.replace(/^#/, ""));
  const room = query.get("room") as Room | null;
  const threshold = query.has("threshold") ? Number(query.get("threshold")) : NaN;
  const state: State = {
    ...DEFAULTS,
    table: query.get("table"),
    room: room && ROOMS.includes(room) ? room : DEFAULTS.room,
    threshold: Number.isNaN(threshold) ? null : threshold,
  };
  for (const part of PARTS) {
    const read = fields(query.get(part));
    const defaults = DEFAULTS[part] as unknown as Fields;
    const known = Object.entries(read).filter(([name, value]) => Object.hasOwn(defaults, name) && fits(value, defaults[name]));
    Object.assign(state, { [part]: { ...DEFAULTS[part], ...Object.fromEntries(known) } });
  }
  return { ...state, data: soundData(state.data) };
}

function differing(part: Fields, defaults: Fields): Fields {
  const changed = Object.entries(part).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]));
  return Object.fromEntries(changed);
}

function fields(text: string | null): Fields {
  try {
    const value = JSON.parse(text ?? "{}");
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

// A default of null tells nothing of the kind; else the kinds must agree. Null stands for "none" where
// there is a name or a number, and nowhere else.
function fits(value: unknown, known: unknown): boolean {
  if (known === undefined) return false;
  if (known === null) return true;
  if (value === null) return typeof known === "number" || (typeof known === "string" && known !== "");
  return typeof value === typeof known && Array.isArray(value) === Array.isArray(known);
}
