import type { About } from "../answers";

export function BoardRoom(_: { about: About }) {
  return <p>Not here yet.</p>;
}
