// One of a few choices: a button that opens a list, by mouse, keys and typing, in one look everywhere.
import { useId, useRef, useState } from "preact/hooks";
import { type Choice, moved, sought } from "./list";
import { Options } from "./Options";

interface Props {
  id?: string;
  label?: string; // where none stands beside it
  value: string | number;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string;
  shown?: string; // instead of the chosen line: a list of things to do
}

const PAUSE = 600; // milliseconds after which typing begins a new word

export function Listbox({ id, label, value, choices, onChange, disabled = false, invalid = false, describedBy, shown }: Props) {
  const [active, setActive] = useState<number | null>(null); // null: the list is closed
  const list = useId();
  const button = useRef<HTMLButtonElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const chosen = choices.findIndex((one) => String(one.value) === String(value));
  const open = active !== null;
  const show = () => setActive(chosen >= 0 ? chosen : (moved(choices, -1, "Home") ?? -1));
  const close = () => setActive(null);
  const take = (place: number) => {
    const choice = choices[place];
    if (choice?.disabled) return;
    close();
    if (choice && String(choice.value) !== String(value)) onChange(String(choice.value));
  };
  const type = (letter: string) => {
    const now = Date.now();
    const text = now - typed.current.at < PAUSE ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    setActive(sought(choices, active ?? chosen, text));
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    const writing = Date.now() - typed.current.at < PAUSE;
    const to = moved(choices, active ?? chosen, event.key);
    if (event.key === "Tab" && open) return take(active); // and the focus goes on
    if (event.key === "Escape" && open) close();
    else if (event.altKey && event.key === "ArrowUp" && open) take(active);
    else if (!open && (to !== null || event.key === "Enter" || (event.key === " " && !writing))) show();
    else if (event.key === "Enter" || (event.key === " " && !writing)) take(active!);
    else if (to !== null) setActive(to);
    else if (event.key.length === 1 && !event.altKey) type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <button
        type="button"
        id={id}
        ref={button}
        role="combobox"
        class="listbox"
        data-value={value}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && active >= 0 ? `${list}-${active}` : undefined}
        aria-label={label}
        aria-invalid={invalid ? true : undefined}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={() => {
          button.current?.focus(); // not every browser does
          if (open) close();
          else show();
        }}
        onKeyDown={key}
        onBlur={close}
      >
        <span class="listbox-text">{shown ?? choices[chosen]?.label ?? ""}</span>
        <span class="chevron down" aria-hidden="true" />
      </button>
      {open && <Options id={list} anchor={button} choices={choices} chosen={chosen} active={active} onPick={take} />}
    </>
  );
}
