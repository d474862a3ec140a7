import type { About } from "../answers";

export function CalibrationRoom(_: { about: About }) {
  return <p>Not here yet.</p>;
}
