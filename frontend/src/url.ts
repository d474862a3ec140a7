// The state as the fragment of a URL: only what differs from the defaults, a part a name.
import { PARTS, SHAPES } from "./shapes";
import { DEFAULTS, ROOMS, type Room, type State } from "./state";
import type { Store } from "./store";

type Fields = Record<string, unknown>;

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
    const shapes = SHAPES[part] as Record<string, (value: unknown) => boolean>;
    const known = Object.entries(read).filter(([name, value]) => Object.hasOwn(shapes, name) && shapes[name]!(value));
    Object.assign(state, { [part]: { ...DEFAULTS[part], ...Object.fromEntries(known) } });
  }
  return state;
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

const SETTLED = 150; // milliseconds without a change before the URL is written: browsers refuse many

type Address = Pick<Window, "addEventListener"> & { history: Pick<History, "pushState" | "replaceState">; location: Pick<Location, "hash" | "pathname"> };

// The URL follows the state, and the state a URL that somebody types; the board is too long for it. A
// step (another preset, room, model) is an entry of the history, which Back leaves; a drag or typing
// changes the entry at hand, at the latest when the gesture ends.
export function followAddress(store: Store, page: Address = window): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [steps, written] = [store.steps, toFragment(store.state)];
  const write = (state: State, how: "pushState" | "replaceState") => {
    clearTimeout(timer);
    timer = undefined;
    const fragment = toFragment(state);
    if (fragment === written) return;
    written = fragment;
    page.history[how](null, "", fragment || page.location.pathname);
  };
  let last = store.state;
  store.subscribe(() => {
    const step = store.steps !== steps;
    steps = store.steps;
    if (step) {
      write(last, "replaceState"); // what was typed before the step, which Back returns to
      write(store.state, "pushState");
    } else {
      clearTimeout(timer);
      timer = setTimeout(() => write(store.state, "replaceState"), SETTLED);
    }
    last = store.state;
  });
  store.onSettled = () => timer !== undefined && write(store.state, "replaceState");
  page.addEventListener("hashchange", () => {
    clearTimeout(timer);
    timer = undefined;
    written = page.location.hash;
    store.arrive(fromFragment(page.location.hash));
  });
}
