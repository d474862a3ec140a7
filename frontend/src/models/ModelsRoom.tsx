import type { About } from "../answers";

export function ModelsRoom(_: { about: About }) {
  return <p>Not here yet.</p>;
}
