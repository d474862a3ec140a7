import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface Props {
  label: string;
  folded: string; // what the button says that opens it on a narrow screen
  class: string;
  tools?: ComponentChildren; // beside the title
  foot?: ComponentChildren; // stays in sight while it is folded
  children: ComponentChildren;
}

// Controls beside the charts; on a narrow screen they are folded away below a button.
export function Drawer({ label, folded, class: own, tools, foot, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <aside class={`panel drawer-panel ${own}`} aria-label={label}>
      <header>
        <h2>
          <button type="button" class="quiet drawer" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            <span class="chevron" aria-hidden="true" />
            {folded}
          </button>
          <span class="wide">{label}</span>
        </h2>
        {tools}
      </header>
      <div id={id} class={open ? "content open" : "content"}>
        {children}
      </div>
      {foot}
    </aside>
  );
}
