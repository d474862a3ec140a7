import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./Icon";

// A modal window: the browser's own, so Escape closes it and the focus stays inside and comes back.
export function Dialog({ title, onClose, wide, children }: { title: string; onClose: () => void; wide?: boolean; children: ComponentChildren }) {
  const window = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = window.current!;
    if (!shown.open) shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog ref={window} class={wide ? "wide" : undefined} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon quiet" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
