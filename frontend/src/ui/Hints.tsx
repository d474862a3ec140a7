import type { Presentation } from "./Presentation";

// What the library has to say beside an answer: warnings, and notes on how it was computed.
export function Hints({ of }: { of: unknown }) {
  const { warnings, notes, presentation } = (of ?? {}) as { warnings?: unknown; notes?: unknown; presentation?: Presentation };
  const spoken = presentation ? presentation.notes.map(({ text }) => text) : notes; // of a result that says everything about itself
  const told = [...texts(warnings).map((text) => ({ text, warning: true })), ...texts(spoken).map((text) => ({ text, warning: false }))];
  if (!told.length) return null;
  return (
    <ul class="hints" aria-label="Notes">
      {told.map(({ text, warning }) => (
        <li key={text} class={warning ? "warning" : undefined}>
          {warning && <strong>Note: </strong>}
          {text}
        </li>
      ))}
    </ul>
  );
}

const texts = (list: unknown): string[] => (Array.isArray(list) ? [...new Set(list.filter((item): item is string => typeof item === "string"))] : []);
