import type { About } from "../answers";

export function MatrixRoom(_: { about: About }) {
  return <p>Not here yet.</p>;
}
