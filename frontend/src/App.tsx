import { useEffect, useMemo, useState } from "preact/hooks";
import type { About } from "./answers";
import { Desk, DeskContext, failureOf, useAnswer } from "./ask";
import { CalibrationRoom } from "./calibration/CalibrationRoom";
import { BoardRoom } from "./board/BoardRoom";
import { CurvesRoom } from "./curves/CurvesRoom";
import { Cursor, CursorContext } from "./cursor";
import { DataPanel } from "./data/DataPanel";
import type { Failure, Host } from "./host";
import { MatrixRoom } from "./matrix/MatrixRoom";
import { ModelsRoom } from "./models/ModelsRoom";
import { StartPage } from "./start/StartPage";
import { ROOMS, type Room } from "./state";
import { Store, StoreContext, usePart, useStore } from "./store";
import { Answer } from "./ui/Answer";
import { Notice } from "./ui/Notice";

const NAMES: Record<Room, string> = {
  curves: "Curves",
  calibration: "Calibration",
  models: "Models",
  matrix: "Confusion matrix",
  board: "Board",
};
const SHOWN: Record<Room, (props: { about: About }) => preact.JSX.Element> = {
  curves: CurvesRoom,
  calibration: CalibrationRoom,
  models: ModelsRoom,
  matrix: MatrixRoom,
  board: BoardRoom,
};

export function App({ host, store }: { host: Host; store: Store }) {
  const cursor = useMemo(() => new Cursor(store), [store]);
  return (
    <StoreContext.Provider value={store}>
      <CursorContext.Provider value={cursor}>
        <Opened host={host} />
      </CursorContext.Provider>
    </StoreContext.Provider>
  );
}

// The start page until a table is open, then the workbench.
function Opened({ host }: { host: Host }) {
  const store = useStore();
  const table = usePart((state) => state.table);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (store.state.table !== null) return;
    host.start().then(
      (start) => start.served && store.replace({ ...store.state, table: start.served }),
      (error: unknown) => setFailure(failureOf(error)),
    );
  }, [host, store]);
  if (failure) return <Notice failure={failure} />;
  return table === null ? <StartPage host={host} /> : <Workbench key={table} host={host} table={table} />;
}

function Workbench({ host, table }: { host: Host; table: string }) {
  const desk = useMemo(() => new Desk(host, table), [host, table]);
  return (
    <DeskContext.Provider value={desk}>
      <WithAbout />
    </DeskContext.Provider>
  );
}

function WithAbout() {
  const about = useAnswer<About>({ kind: "about" });
  return (
    <Answer of={about} what="Reading the table">
      {(found) => <Rooms about={found} />}
    </Answer>
  );
}

function Rooms({ about }: { about: About }) {
  const store = useStore();
  const room = usePart((state) => state.room);
  const Shown = SHOWN[room];
  return (
    <>
      <header class="top">
        <strong class="brand">Plumbline</strong>
        <span class="file">{about.name}</span>
        <nav aria-label="Rooms">
          {ROOMS.map((name) => (
            <button key={name} aria-current={room === name ? "page" : undefined} onClick={() => store.change({ room: name })}>
              {NAMES[name]}
            </button>
          ))}
        </nav>
      </header>
      <div class="columns">
        <DataPanel about={about} />
        <main>
          <Shown about={about} />
        </main>
      </div>
    </>
  );
}
