import { useEffect, useRef } from "preact/hooks";
import type { Suggestion } from "./completion";

// The list of a combobox; the focus stays in its box.
export function Suggestions({ id, label, items, active, onPick }: { id: string; label: string; items: Suggestion[]; active: number; onPick: (item: Suggestion) => void }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <ul id={id} role="listbox" aria-label={label} class="suggestions" hidden={items.length === 0} ref={list}>
      {items.map((item, place) => (
        <li
          key={item.label}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === active}
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(item);
          }}
        >
          <code>{item.label}</code>
          <small>{item.note}</small>
        </li>
      ))}
    </ul>
  );
}
