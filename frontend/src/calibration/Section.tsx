import type { ComponentChildren } from "preact";
import { usePart } from "../store";
import { useEdit } from "./Controls";
import { Disclosure } from "../ui/Disclosure";
import { useAwaited } from "../ui/useReveal";

// A part of the room that asks its question only while it is open.
export function Section({ name, title, text, children }: { name: string; title: string; text: string; children: () => ComponentChildren }) {
  const open = usePart((state) => state.calibration.open);
  const edit = useEdit();
  const isOpen = open.includes(name);
  const ref = useAwaited(name);
  const toggle = (wanted: boolean) => {
    if (wanted !== isOpen) edit({ open: wanted ? [...open, name] : open.filter((one) => one !== name) });
  };
  return (
    <div class="reveal" ref={ref}>
    <Disclosure
      class="panel cal-section"
      open={isOpen}
      onToggle={toggle}
      title={
        <>
          <h2>{title}</h2>
          <span class="hint">{text}</span>
        </>
      }
    >
      {isOpen && <div class="stack">{children()}</div>}
    </Disclosure>
    </div>
  );
}
