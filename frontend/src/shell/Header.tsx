import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { About } from "../answers";
import { useClient } from "../ask";
import { positiveOfTwo } from "../data/choosing";
import { ROOMS } from "../state";
import { usePart, useStore, useWatched } from "../store";
import { counted, unitOf } from "../ui/format";
import { Icon } from "../ui/Icon";
import { Brand } from "./Brand";
import { ColumnsDialog } from "./ColumnsDialog";
import { CopyLink } from "./CopyLink";
import { KeyboardHelp } from "./KeyboardHelp";
import { NAMES } from "./rooms";
import { ThemeSelect } from "./ThemeSelect";
import { usePlace } from "./place";

export function Header({ about }: { about: About }) {
  const positive = positiveOfTwo(about, usePart((state) => state.data.target));
  return (
    <header class="top">
      <div class="title">
        <Brand />
        <h1 class="file" title={about.name}>
          {about.name}
        </h1>
        <span class="rows">
          {counted(about.n, unitOf(about))}, {counted(about.k, "class", "classes")}
        </span>
        {positive !== null && (
          <span class="positive" title={`Positive class: ${positive}`}>
            positive: {positive}
          </span>
        )}
      </div>
      <Tools />
      <RoomTabs />
    </header>
  );
}

function RoomTabs() {
  const store = useStore();
  const room = usePart((state) => state.room);
  const tabs = useRef<HTMLElement>(null);
  // On a narrow screen the tabs are wider than the page: the one that is shown comes into view.
  useLayoutEffect(() => {
    const now = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (now) tabs.current!.scrollLeft = now.offsetLeft - (tabs.current!.clientWidth - now.offsetWidth) / 2;
  }, [room]);
  return (
    <nav aria-label="Views" ref={tabs}>
      {ROOMS.map((name) => (
        <button type="button" key={name} aria-current={room === name ? "page" : undefined} onClick={() => store.go(name)}>
          {NAMES[name]}
        </button>
      ))}
    </nav>
  );
}

function Tools() {
  const { host, start } = usePlace();
  const { table } = useClient();
  const [shown, setShown] = useState<"columns" | "help" | null>(null);
  const close = () => setShown(null);
  return (
    <div class="tools">
      <History />
      {!host.notebook && <CopyLink />}
      {!host.notebook && (table !== start?.served || start.columns) && (
        <button type="button" class="quiet" onClick={() => setShown("columns")}>
          Columns …
        </button>
      )}
      {!host.notebook && <CloseTable />}
      <button type="button" class="quiet" onClick={() => setShown("help")} title="Keyboard help (?)">
        Keyboard
      </button>
      <ThemeSelect />
      {shown === "columns" && <ColumnsDialog onClose={close} />}
      <KeyboardHelp open={shown === "help"} onOpen={() => setShown("help")} onClose={close} />
    </div>
  );
}

function CloseTable() {
  const place = usePlace();
  return (
    <button type="button" class="quiet" onClick={place.close}>
      Close table
    </button>
  );
}

function History() {
  const store = useStore();
  const canUndo = useWatched(store, () => store.canUndo);
  const canRedo = useWatched(store, () => store.canRedo);
  return (
    <>
      <button type="button" class="quiet icon" aria-label="Undo" title="Undo (Ctrl+Z)" disabled={!canUndo} onClick={() => store.undo()}>
        <Icon name="undo" />
      </button>
      <button type="button" class="quiet icon" aria-label="Redo" title="Redo (Ctrl+Shift+Z)" disabled={!canRedo} onClick={() => store.redo()}>
        <Icon name="redo" />
      </button>
    </>
  );
}
