// What the library has to say beside an answer: warnings, and notes on how it was computed.
export function Hints({ of }: { of: unknown }) {
  const { warnings, notes } = (of ?? {}) as { warnings?: unknown; notes?: unknown };
  const told = [...texts(warnings).map((text) => ({ text, warning: true })), ...texts(notes).map((text) => ({ text, warning: false }))];
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
