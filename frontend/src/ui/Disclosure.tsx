import type { ComponentChildren } from "preact";

interface Props {
  title: ComponentChildren;
  class?: string;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  children: ComponentChildren;
}

// A part that opens: the browser's own element, found by its search and by every reader, with our mark.
export function Disclosure({ title, class: own, open = false, onToggle, children }: Props) {
  return (
    <details class={own ? `disclosure ${own}` : "disclosure"} open={open} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>
        <span class="chevron" aria-hidden="true" />
        {title}
      </summary>
      {children}
    </details>
  );
}
