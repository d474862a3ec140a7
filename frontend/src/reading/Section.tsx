import type { ComponentChildren } from "preact";
import type { RefObject } from "preact";
import { useId } from "preact/hooks";

// A part that asks its question only once it is opened.
export function Section({ title, open, onToggle, at, children }: { title: string; open: boolean; onToggle: (open: boolean) => void; at?: RefObject<HTMLElement>; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="panel reading-section reveal" {...(at ? { ref: at } : {})} aria-labelledby={`${id}-title`}>
      <h3>
        <button id={`${id}-title`} class="quiet disclose" aria-expanded={open} {...(open ? { "aria-controls": id } : {})} onClick={() => onToggle(!open)}>
          <span aria-hidden="true" class="chevron" />
          {title}
        </button>
      </h3>
      {open && (
        <div id={id} class="stack">
          {children}
        </div>
      )}
    </section>
  );
}
