import type { About } from "../answers";

export function DataPanel({ about }: { about: About }) {
  return <aside aria-label="Data">{about.n} rows</aside>;
}
