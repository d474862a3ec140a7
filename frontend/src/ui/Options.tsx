import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Choice } from "./list";

const EDGE = 8; // pixels between a list and the edge of the window
const LEAST = 160; // pixels below which a list opens upwards, where there is more room
const MOST = 340;

interface Props {
  id: string;
  anchor: { readonly current: HTMLElement | null };
  choices: readonly Choice[];
  chosen: number;
  active: number;
  onPick: (place: number) => void;
  empty?: string; // said where no line is left
}

// The list of a listbox or combobox. It lies above all, also above a dialog; the focus stays with what opened it.
export function Options({ id, anchor, choices, chosen, active, onPick, empty }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = list.current!;
    shown.showPopover?.();
    const put = () => anchor.current && place(shown, anchor.current.getBoundingClientRect());
    put();
    window.addEventListener("scroll", put, true);
    window.addEventListener("resize", put);
    return () => {
      window.removeEventListener("scroll", put, true);
      window.removeEventListener("resize", put);
    };
  }, [anchor, choices.length]);
  useEffect(() => {
    list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div id={id} role="listbox" aria-label="Choices" popover="manual" class="options" ref={list} onMouseDown={(event) => event.preventDefault()}>
      {grouped(choices).map(({ title, from, lines }) => {
        const options = lines.map((choice, offset) => {
          const at = from + offset;
          return (
            <div key={choice.value} id={`${id}-${at}`} role="option" class="option" data-value={choice.value} data-active={at === active ? "" : undefined} aria-selected={at === chosen} aria-disabled={choice.disabled ? true : undefined} onClick={() => onPick(at)}>
              {choice.label}
            </div>
          );
        });
        if (title === undefined) return options;
        return (
          <div key={title} role="group" aria-label={title}>
            <div class="option-group" aria-hidden="true">
              {title}
            </div>
            {options}
          </div>
        );
      })}
      {!choices.length && (
        <div role="option" aria-selected={false} aria-disabled={true} class="option">
          {empty}
        </div>
      )}
    </div>
  );
}

// Below what opened it, or above where there is more room; never wider than the window.
function place(list: HTMLElement, box: DOMRect): void {
  const below = window.innerHeight - box.bottom - EDGE;
  const above = box.top - EDGE;
  const up = below < Math.min(LEAST, list.scrollHeight) && above > below;
  const { style } = list;
  style.minWidth = `${Math.min(box.width, window.innerWidth - 2 * EDGE)}px`;
  style.maxHeight = `${Math.min(MOST, up ? above : below)}px`;
  style.left = `${Math.max(EDGE, Math.min(box.left, window.innerWidth - EDGE - list.offsetWidth))}px`;
  style.top = up ? "auto" : `${box.bottom + 2}px`;
  style.bottom = up ? `${window.innerHeight - box.top + 2}px` : "auto";
}

interface Group {
  title: string | undefined;
  from: number; // place of its first line
  lines: Choice[];
}

function grouped(choices: readonly Choice[]): Group[] {
  const groups: Group[] = [];
  choices.forEach((choice, at) => {
    const last = groups.at(-1);
    if (last && last.title === choice.group) last.lines.push(choice);
    else groups.push({ title: choice.group, from: at, lines: [choice] });
  });
  return groups;
}
