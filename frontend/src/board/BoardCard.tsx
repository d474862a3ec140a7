import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import type { About } from "../answers";
import { ClientContext, useClient } from "../ask";
import { positiveOfTwo } from "../data/choosing";
import { Boundary } from "../shell/Boundary";
import { useStore } from "../store";
import { useRequests } from "../requests";
import { drawable, viewOf } from "../views";
import { CardIcon } from "./CardIcon";
import { ExportMenu } from "./ExportMenu";
import { Markdown } from "./Markdown";
import { type Asked, noting } from "./savedPage";
import { changed, doubled, stateOf, targetOf, without } from "./pins";
import type { Pin } from "./state";

export type Step = "left" | "right" | "up" | "down";
export const STEPS: readonly Step[] = ["left", "right", "up", "down"];

interface Props {
  pin: Pin;
  about: About;
  asked: Asked;
  canGo: (step: Step) => boolean;
  go: (step: Step) => void;
  dragged: boolean;
  onDrag: (on: boolean) => void;
  onDropped: () => void;
}

// One card: its title, its chart drawn from the data of now, and a note.
export function BoardCard({ pin, about, asked, canGo, go, dragged, onDrag, onDropped }: Props) {
  const store = useStore();
  const titleId = useId();
  const change = (patch: Partial<Pin>, merge: string) => store.edit("board", { pins: changed(store.state.board.pins, pin.id, patch) }, `${merge} ${pin.id}`);
  const name = pin.title || "untitled card";
  return (
    <li
      class={["block board-card", dragged ? "dragged" : "", pin.wide ? "wide" : ""].filter(Boolean).join(" ")}
      data-card={pin.id}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDropped();
      }}
    >
      <header>
        <span
          class="grip"
          title="Drag to move the card"
          draggable
          onDragStart={(event) => {
            event.dataTransfer?.setData("text/plain", name);
            const card = event.currentTarget.closest("li");
            if (card) event.dataTransfer?.setDragImage(card, 10, 10);
            onDrag(true);
          }}
          onDragEnd={() => onDrag(false)}
        >
          <CardIcon name="grip" />
        </span>
        <label for={titleId} class="visually-hidden">
          Title of the card
        </label>
        <input id={titleId} class="card-title" value={pin.title} placeholder="Title" maxLength={200} onInput={(event) => change({ title: event.currentTarget.value }, "title")} />
        <Moves name={name} canGo={canGo} go={go} />
      </header>
      {pin.question && <Drawn pin={pin} about={about} asked={asked} />}
      <Note pin={pin} name={name} onChange={(note) => change({ note }, "note")} />
      <Tools pin={pin} name={name} />
    </li>
  );
}

// Markdown: read as it will look, and edited as it is written.
function Note({ pin, name, onChange }: { pin: Pin; name: string; onChange: (note: string) => void }) {
  const id = useId();
  const [editing, setEditing] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (editing) area.current?.focus();
  }, [editing]);
  if (pin.note.trim() && !editing) {
    return (
      <div class="card-note">
        <Markdown text={pin.note} />
        <button type="button" class="link" aria-label={`Edit the note of ${name}`} onClick={() => setEditing(true)}>
          Edit note
        </button>
      </div>
    );
  }
  return (
    <div class="card-note">
      <label for={id} class={pin.question ? "label" : "visually-hidden"}>
        Note
      </label>
      <textarea id={id} ref={area} rows={rowsOf(pin)} value={pin.note} placeholder="What does this card show? Markdown: **bold**, - list, [words](https://…)" maxLength={20_000} onFocus={() => setEditing(true)} onBlur={() => setEditing(false)} onInput={(event) => onChange(event.currentTarget.value)} />
    </div>
  );
}

const rowsOf = (pin: Pin): number => Math.min(12, Math.max(pin.question ? 2 : 4, pin.note.split("\n").length + 1));

function Drawn({ pin, about, asked }: { pin: Pin; about: About; asked: Asked }) {
  const client = useClient();
  const noted = useMemo(() => {
    const own = new Set<string>();
    asked.set(pin.id, own);
    return noting(client, own);
  }, [client, asked, pin.id]);
  const question = pin.question!;
  const positive = positiveOfTwo(about, targetOf(question));
  const View = viewOf(question.kind);
  if (!drawable(useRequests())(question.kind)) return <p class="hint">This kind of result cannot be drawn here.</p>;
  return (
    <Boundary title={pin.title} onReset={() => undefined}>
      <ClientContext.Provider value={noted}>
        <View question={question} compact />
      </ClientContext.Provider>
      {positive !== null && <p class="hint">Positive class: {positive}</p>}
    </Boundary>
  );
}

function Moves({ name, canGo, go }: Pick<Props, "canGo" | "go"> & { name: string }) {
  return (
    <div class="moves" role="group" aria-label={`Move ${name}`}>
      {STEPS.map((step) => (
        <button key={step} type="button" class="icon quiet" data-step={step} aria-label={`Move ${name} ${step}`} disabled={!canGo(step)} onClick={() => go(step)}>
          <CardIcon name={step} />
        </button>
      ))}
    </div>
  );
}

function Tools({ pin, name }: { pin: Pin; name: string }) {
  const store = useStore();
  return (
    <div class="tools">
      {pin.question && pin.from !== null && (
        <button type="button" aria-label={`Open ${name} in its view`} onClick={() => store.change(stateOf(pin, store.state))}>
          Open in its view
        </button>
      )}
      {pin.question && <ExportMenu question={pin.question} name={name} />}
      {pin.question && (
        <button type="button" aria-pressed={pin.wide === true} aria-label={`${name} over the whole width`} onClick={() => store.edit("board", { pins: changed(store.state.board.pins, pin.id, { wide: !pin.wide }) })}>
          Wide
        </button>
      )}
      <button type="button" aria-label={`Duplicate ${name}`} onClick={() => store.edit("board", { pins: doubled(store.state.board.pins, pin.id) })}>
        Duplicate
      </button>
      <button type="button" aria-label={`Remove ${name}`} onClick={() => store.edit("board", { pins: without(store.state.board.pins, pin.id) })}>
        Remove
      </button>
    </div>
  );
}
