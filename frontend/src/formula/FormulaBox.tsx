// A box for one formula: completion, help on the name at the caret, and what is wrong as one types.
// What is understood goes on to `onChange`; until then the last good formula stays in force.
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { useAnswer } from "../ask";
import { usePart, useStore } from "../store";
import { type Completion, complete, helpAt, type Part, placeOf, type Suggestion } from "./completion";
import { NameHelp } from "./NameHelp";
import { Inserts } from "./Inserts";
import { Suggestions } from "./Suggestions";
import { useVocabulary } from "./vocabulary";

export interface Lint {
  text: string;
  error: { message: string; start: number; end: number; near?: string | null } | null; // near: the name that was meant
  level: "set" | "row" | "state" | null;
  kind: "number" | "truth" | "category" | null;
  params: { name: string; default: number }[];
  names: string[];
  notes: string[];
}

interface Props {
  label: string;
  part: Part;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  hint?: string;
  onUnread?: (text: string | null) => void; // told what stands in the box and cannot be read
}

const LEAVING = 300;
const PAUSE = 150; // milliseconds without a key before a formula is looked at

export function FormulaBox({ label, part, value, onChange, placeholder, hint, onUnread }: Props) {
  const id = useId();
  const vocabulary = useVocabulary();
  const store = useStore();
  const [draft, setDraft] = useState(value);
  const [caret, setCaret] = useState<number | null>(null); // null: the caret is elsewhere
  const [open, setOpen] = useState<{ all: boolean; active: number } | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const given = useRef(value);
  const lint = useLint(part, draft);

  useEffect(() => {
    if (value === given.current) return;
    given.current = value;
    setDraft(value);
  }, [value]);

  const give = (text: string) => {
    if (text === given.current) return;
    given.current = text;
    onChange(text);
  };
  // What is not known to be wrong: the answer of who is asked for it tells.
  const commit = () => {
    if (!lint || lint.text !== draft || lint.error === null) give(draft);
  };
  useEffect(() => {
    if (lint !== null && lint.error === null && lint.text === draft) give(draft);
  }, [lint, draft]);

  const completion = useMemo<Completion | null>(
    () => (open === null || caret === null ? null : complete(vocabulary, draft, caret, part, open.all)),
    [open, caret, draft, vocabulary, part],
  );
  const shown = completion && completion.items.length > 0 ? completion : null;
  const active = shown && open ? Math.min(open.active, shown.items.length - 1) : -1;

  const put = (text: string, at: number) => {
    const area = box.current;
    if (area) {
      area.value = text; // at once: the next key may come before the next drawing
      area.focus();
      area.setSelectionRange(at, at);
    }
    setDraft(text);
    setCaret(at);
    setOpen(null);
  };
  const accept = (item: Suggestion) => {
    if (!shown) return;
    put(draft.slice(0, shown.from) + item.insert + draft.slice(shown.to), shown.from + item.caret);
  };
  const insert = (text: string) => {
    const from = box.current?.selectionStart ?? draft.length;
    const to = box.current?.selectionEnd ?? draft.length;
    put(draft.slice(0, from) + text + draft.slice(to), from + text.length);
  };

  const type = (event: Event & { currentTarget: HTMLTextAreaElement }) => {
    const text = event.currentTarget.value.replace(/[\r\n]+/g, " ");
    const at = event.currentTarget.selectionStart;
    setDraft(text);
    setCaret(at);
    setOpen({ all: false, active: firstActive(complete(vocabulary, text, at, part)) });
  };
  const move = (step: number) => {
    if (!shown || !open) return;
    const count = shown.items.length;
    setOpen({ ...open, active: active < 0 ? (step > 0 ? 0 : count - 1) : (active + step + count) % count });
  };
  const key = (event: KeyboardEvent) => {
    const control = event.ctrlKey || event.metaKey;
    if (event.key === " " && control) setOpen({ all: true, active: 0 });
    else if (event.key === "ArrowDown" && shown) move(1);
    else if (event.key === "ArrowUp" && shown) move(-1);
    else if (event.key === "Escape" && shown) setOpen(null);
    else if ((event.key === "Enter" || event.key === "Tab") && shown && active >= 0) accept(shown.items[active]!);
    else if (event.key === "Enter") {
      setOpen(null);
      commit();
      store.settle();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const look = () => {
    const at = box.current?.selectionStart ?? null;
    if (at !== caret) {
      setCaret(at);
      setOpen(null);
    }
  };
  // What is below the box goes only after a click elsewhere is over, or it would move from under it.
  const leaving = useRef<ReturnType<typeof setTimeout>>();
  const leave = (event: FocusEvent) => {
    if (root.current?.contains(event.relatedTarget as Node | null)) return;
    setOpen(null);
    leaving.current = setTimeout(() => setCaret(null), LEAVING);
  };
  useEffect(() => () => clearTimeout(leaving.current), []);

  const unwritten = !draft.trim() && placeholder !== undefined; // nothing yet is no mistake
  const error = lint !== null && lint.text === draft && !unwritten ? lint.error : null;
  const unread = error ? draft : null;
  useEffect(() => onUnread?.(unread), [unread]);
  const wrong = error && { ...error, start: placeOf(draft, error.start), end: placeOf(draft, error.end) };
  const help = caret === null ? null : shown && active >= 0 ? (shown.items[active]!.variable ?? shown.items[active]!.help ?? null) : helpAt(vocabulary, draft, caret);
  const list = `${id}-list`;
  return (
    <div class="field formula" ref={root} onFocusIn={() => clearTimeout(leaving.current)} onFocusOut={leave}>
      <label for={id}>{label}</label>
      <div class={wrong ? "formula-box wrong" : "formula-box"}>
        <div class="formula-shadow" aria-hidden="true">
          <Underlined text={draft || placeholder || ""} start={wrong?.start} end={wrong?.end} />
        </div>
        <textarea
          id={id}
          ref={box}
          rows={1}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={list}
          aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={`${id}-said`}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          value={draft}
          placeholder={placeholder}
          onInput={type}
          onKeyDown={key}
          onKeyUp={look}
          onClick={look}
          onFocus={look}
          onFocusOut={commit}
        />
        <Suggestions id={list} label={`Names for ${label}`} items={shown?.items ?? []} active={active} onPick={accept} />
      </div>
      <div class="formula-said" id={`${id}-said`} aria-live="polite">
        {wrong ? <Wrong text={draft} {...wrong} onTake={(near) => put(draft.slice(0, wrong.start) + near + draft.slice(wrong.end), wrong.start + near.length)} /> : hint && <small>{hint}</small>}
      </div>
      {caret !== null && help && !wrong && <NameHelp help={help} />}
      {caret !== null && <Inserts vocabulary={vocabulary} part={part} of={label} onInsert={insert} />}
    </div>
  );
}

// The first suggestion is taken by Enter, unless what was typed is a whole name already.
function firstActive(completion: Completion): number {
  const typed = completion.word;
  return completion.items.some((item) => item.insert === typed || item.insert === `${typed}()`) ? -1 : 0;
}

// What the reader of formulas says; null until it has looked at this text.
function useLint(part: Part, text: string): Lint | null {
  const { preset, x, sort_by, direction, merge, average } = usePart((state) => state.curve);
  const order = { preset, x, sort_by, direction, merge, average };
  const found = useAnswer<Lint>({ kind: "lint", part, text, curve: order }, { delay: PAUSE });
  return found.stale ? null : found.answer;
}

function Underlined({ text, start, end }: { text: string; start: number | undefined; end: number | undefined }) {
  if (start === undefined || end === undefined) return <>{text}&#8203;</>;
  const stop = Math.max(end, start + 1);
  return (
    <>
      {text.slice(0, start)}
      <u>{text.slice(start, stop) || " "}</u>
      {text.slice(stop)}&#8203;
    </>
  );
}

const WIDTH = 29; // characters that a narrow panel has room for

// The message, and the formula with carets below what it is about.
function Wrong({ text, message, start, end, near, onTake }: { text: string; message: string; start: number; end: number; near?: string | null; onTake: (near: string) => void }) {
  const left = Math.max(0, Math.min(start - 10, text.length - WIDTH));
  const shown = text.slice(left, left + WIDTH);
  const under = Math.max(1, Math.min(end, left + WIDTH) - start);
  return (
    <>
      <p class="formula-wrong">{message}</p>
      <pre aria-hidden="true">{`${shown}\n${" ".repeat(start - left)}${"^".repeat(under)}`}</pre>
      {near && (
        <button type="button" class="link" onClick={() => onTake(near)}>
          Use {near}
        </button>
      )}
    </>
  );
}
