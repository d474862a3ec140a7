import { useMemo } from "preact/hooks";
import { ClientContext, TableClient } from "../ask";
import { Cursor, CursorContext } from "../cursor";
import { Boundary } from "../shell/Boundary";
import { Brand } from "../shell/Brand";
import { type Place, PlaceContext } from "../shell/place";
import type { ThemeChoice } from "../shell/theme";
import { ThemeSelect } from "../shell/ThemeSelect";
import { type Store, StoreContext } from "../store";
import { counted } from "../ui/format";
import { viewOf } from "../views";
import { Markdown } from "./Markdown";
import { type SavedPage, savedHost } from "./savedPage";
import type { Pin } from "./state";

const nothing = () => undefined;

// A board in a file of its own: its cards are drawn as on the board, and the threshold moves in all of them.
export function SavedBoard({ saved, store, theme }: { saved: SavedPage; store: Store; theme: ThemeChoice }) {
  const cursor = useMemo(() => new Cursor(store), [store]);
  const host = useMemo(() => savedHost(saved), [saved]);
  const client = useMemo(() => new TableClient(host, "saved"), [host]);
  const place: Place = { host, theme, start: null, open: nothing, follow: nothing, close: nothing, roles: () => null };
  const { name, data, positive, version, pins } = saved;
  return (
    <StoreContext.Provider value={store}>
      <CursorContext.Provider value={cursor}>
        <PlaceContext.Provider value={place}>
          <ClientContext.Provider value={client}>
            <header class="top saved-top">
              <div class="title">
                <Brand />
                <h1 class="file">{name}</h1>
                <span class="rows">
                  {data.name}, {counted(data.n, "example")}
                  {positive !== null && `, positive: ${positive}`}
                </span>
              </div>
              <div class="tools">
                <ThemeSelect />
              </div>
            </header>
            <main class="saved-board">
              <ul class="board-cards">
                {pins.map((pin) => (
                  <SavedCard key={pin.id} pin={pin} />
                ))}
              </ul>
              <p class="hint">
                Made by Plumbline {version}. Fingerprint of the rows: <code>{data.fingerprint.slice(0, 12)}</code>.
              </p>
            </main>
          </ClientContext.Provider>
        </PlaceContext.Provider>
      </CursorContext.Provider>
    </StoreContext.Provider>
  );
}

function SavedCard({ pin }: { pin: Pin }) {
  const View = pin.question && viewOf(pin.question.kind);
  return (
    <li class={pin.wide ? "block board-card wide" : "block board-card"}>
      <h2>{pin.title}</h2>
      {View && (
        <Boundary title={pin.title} onReset={nothing}>
          <View question={pin.question!} compact />
        </Boundary>
      )}
      {pin.note && <Markdown text={pin.note} />}
    </li>
  );
}
