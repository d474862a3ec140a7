import { useRef } from "preact/hooks";

const NUMBER = /\d[\d,.]*/g;

// A sentence whose words and numbers change while something is dragged. It takes the height of the
// longest that it can become, at least so many letters, so that nothing below it moves.
export function Steady({ text, most, letters }: { text: string; most: string; letters: number }) {
  const longest = useRef("");
  const wide = text.replace(NUMBER, (number) => (number.length > most.length ? number : most));
  for (const one of [wide, "88888 ".repeat(Math.ceil(letters / 6))]) if (one.length > longest.current.length) longest.current = one;
  return (
    <span class="steady">
      <span>{text}</span>
      <span class="steady-longest" aria-hidden="true" data-text={longest.current} />
    </span>
  );
}
