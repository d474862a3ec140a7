// Where a next step is taken: the room, and the section of it, that a request is shown in.
import type { Room, State } from "../state";

const SECTIONS: Record<string, string> = { recalibrate: "recalibration", diagnosis: "diagnosis", groups: "groups", slices: "groups", sensitivity: "sensitivity", monitor: "over-time", plan: "plan", power: "plan" };
const ROOMS_OF: Record<string, Room> = { scores: "models", compare: "models", confusion: "matrix", curve: "curves", optimum: "curves", reading: "curves" };

// The section of the calibration that a request is shown in, if it is one.
export const sectionOf = (request: string): string | null => SECTIONS[request] ?? null;

export function stepTo(request: string, model: string | null, state: State): Partial<State> {
  const room = ROOMS_OF[request] ?? "calibration";
  if (room !== "calibration") return { room };
  const { open } = state.calibration;
  const section = SECTIONS[request];
  return { room, calibration: { ...state.calibration, model, open: section === undefined || open.includes(section) ? open : [...open, section] } };
}
