import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { About } from "./answers";
import { TableClient, ClientContext, failureOf, useAnswer, useClient } from "./ask";
import { BoardKeeper, moveBoard } from "./board/BoardKeeper";
import { Cursor, CursorContext } from "./cursor";
import { DataPanel } from "./data/DataPanel";
import type { Failure, Host, Roles, Start } from "./host";
import { Boundary } from "./shell/Boundary";
import { Header } from "./shell/Header";
import { type Place, PlaceContext, usePlace } from "./shell/place";
import { NAMES, SHOWN } from "./shell/rooms";
import type { ThemeChoice } from "./shell/theme";
import { SideHandle } from "./shell/SideHandle";
import { Trouble } from "./shell/Trouble";
import { type RequestsAnswer, RequestsContext } from "./requests";
import { ColumnsPage } from "./start/ColumnsPage";
import { StartPage } from "./start/StartPage";
import { DEFAULTS } from "./state";
import { Store, StoreContext, usePart, useStore } from "./store";
import { Answer } from "./ui/Answer";
import { Notice } from "./ui/Notice";
import { Waiting } from "./ui/Waiting";

export function App({ host, store, theme }: { host: Host; store: Store; theme: ThemeChoice }) {
  const cursor = useMemo(() => new Cursor(store), [store]);
  return (
    <StoreContext.Provider value={store}>
      <CursorContext.Provider value={cursor}>
        <Opened host={host} theme={theme} />
      </CursorContext.Provider>
    </StoreContext.Provider>
  );
}

// The start page until a table is open, then the workbench.
function Opened({ host, theme }: { host: Host; theme: ThemeChoice }) {
  const store = useStore();
  const table = usePart((state) => state.table);
  const [start, setStart] = useState<Start | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [times, setTimes] = useState(0); // a table, opened again, is another one
  const chosen = useRef(new Map<string, Roles>());
  const begin = () => {
    setFailure(null);
    host.start().then((found) => {
      setStart(found);
      const { table } = store.state;
      if (!found.served || (table !== null && !found.former?.includes(table))) return;
      if (table !== null) moveBoard(table, found.served);
      store.replace({ ...store.state, table: found.served });
    }, (error: unknown) => setFailure(failureOf(error)));
  };
  useEffect(begin, [host, store]);

  const place = useMemo<Place>(() => {
    const open = (id: string, roles?: Roles) => {
      if (roles) chosen.current.set(id, roles);
      store.open(id);
      setTimes((count) => count + 1);
    };
    const follow = (from: string, to: string, news: string | null) => {
      moveBoard(from, to);
      setStart((known) => known && { ...known, served: to, former: [...(known.former ?? []), from], news });
      store.replace({ ...store.state, table: to });
    };
    const close = () => {
      const left = store.state.table;
      store.open(null);
      if (left !== null && left !== start?.served) host.close(left).catch(() => undefined); // it closes by itself in time
    };
    return { host, theme, start, open, follow, close, roles: (id) => chosen.current.get(id) ?? null };
  }, [host, theme, start, store]);

  return (
    <PlaceContext.Provider value={place}>
      {table !== null ? (
        <Workbench key={`${table} ${times}`} host={host} table={table} />
      ) : failure ? (
        <main class="lonely">
          <h1>Plumbline</h1>
          <Notice failure={failure} retry={begin} />
        </main>
      ) : start === null ? (
        <main class="lonely">
          <Waiting what="Looking for the server" />
        </main>
      ) : (
        <StartPage start={start} />
      )}
    </PlaceContext.Provider>
  );
}

function Workbench({ host, table }: { host: Host; table: string }) {
  const client = useMemo(() => new TableClient(host, table), [host, table]);
  return (
    <ClientContext.Provider value={client}>
      {!host.notebook && <BoardKeeper table={table} />}
      <Trouble>
        <WithAbout />
      </Trouble>
    </ClientContext.Provider>
  );
}

function WithAbout() {
  const { table } = useClient();
  const { close } = usePlace();
  const target = usePart((state) => state.data.target);
  const weighted = usePart((state) => state.data.weighted);
  const about = useAnswer<About>({ kind: "about" });
  const requests = useAnswer<RequestsAnswer>({ kind: "requests", data: { target, weighted } });
  if (about.answer !== null && requests.answer !== null) {
    return (
      <RequestsContext.Provider value={requests.answer.requests}>
        <Rooms about={about.answer} />
      </RequestsContext.Provider>
    );
  }
  if (about.error?.kind === "unclear") return <ColumnsPage table={table} onCancel={close} />;
  return (
    <main class="lonely">
      <Answer<unknown> of={about.answer === null ? about : requests} what="Reading the table">
        {() => null}
      </Answer>
    </main>
  );
}

function Rooms({ about }: { about: About }) {
  const store = useStore();
  const { side, folded } = usePart((state) => state.layout);
  return (
    <>
      <a class="skip button" href="#content" onClick={toContent}>
        Skip to the charts
      </a>
      <Header about={about} />
      <div class={folded ? "columns folded" : "columns"} style={{ "--side": `${side}rem` }}>
        <Boundary title="The data panel" onReset={() => store.edit("data", DEFAULTS.data)}>
          <DataPanel about={about} />
        </Boundary>
        <SideHandle />
        <Main about={about} />
      </div>
    </>
  );
}

// The fragment of the address is the state, so the link moves the focus by itself.
function toContent(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).closest(".plumbline")?.querySelector<HTMLElement>("#content")?.focus();
}

function Main({ about }: { about: About }) {
  const store = useStore();
  const { host } = usePlace();
  const room = usePart((state) => state.room);
  useEffect(() => {
    if (host.notebook) return;
    document.title = `${NAMES[room]} – ${about.name} – Plumbline`;
  }, [room, about.name, host]);
  const Shown = SHOWN[room];
  const reset = () => store.replace({ ...DEFAULTS, table: store.state.table, room, board: store.state.board, layout: store.state.layout });
  return (
    <main id="content" tabIndex={-1} aria-label={NAMES[room]}>
      <Boundary key={room} title={NAMES[room]} onReset={reset}>
        <Shown about={about} />
      </Boundary>
    </main>
  );
}
