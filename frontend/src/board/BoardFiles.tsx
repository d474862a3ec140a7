import { useEffect, useRef, useState } from "preact/hooks";
import { failureOf, useClient } from "../ask";
import type { Asking, Failure } from "../host";
import { usePlace } from "../shell/place";
import { useStore } from "../store";
import { fromFragment, toFragment } from "../url";
import { counted } from "../ui/format";
import { Notice } from "../ui/Notice";
import { Waiting } from "../ui/Waiting";
import { useRequests } from "../requests";
import { drawable } from "../views";
import { boardText, LARGEST, readBoard, Refused } from "./boardFile";
import { type Asked, pageText } from "./savedPage";
import { download, type FileAnswer, slug } from "./download";

const SHARE = 0.75; // of the time for one question, which cards may take; the rest makes the page of them

interface PageAnswer extends FileAnswer {
  left_out: number; // cards that were not drawn in time
}

interface Rows {
  plumbline: string;
  name: string;
  n: number;
  fingerprint: string;
}

// Save, open and export the board as a whole.
export function BoardFiles({ asked, positive }: { asked: Asked; positive: string | null }) {
  const { told, warning, failure, busy, progress, cancel, save, open, page, live } = useBoardFiles(asked, positive);
  const { host } = usePlace();
  const input = useRef<HTMLInputElement>(null);
  const store = useStore();
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void save()}>
        Save board
      </button>
      <button type="button" disabled={busy} onClick={() => input.current?.click()}>
        Open board
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Board file"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) void open(file);
        }}
      />
      <button type="button" disabled={busy || !store.state.board.pins.length} onClick={() => void page()}>
        Export page
      </button>
      {!host.notebook && (
        <button type="button" disabled={busy || !store.state.board.pins.length} title="One HTML file that needs no server; the threshold can be dragged in it" onClick={() => void live()}>
          Export interactive page
        </button>
      )}
      <div class="board-told" role="status">
        {!busy && told}
        {warning && <p class="notice">{warning}</p>}
      </div>
      {busy && <Waiting what="Making the file" progress={progress} cancel={cancel} />}
      {failure && <Notice failure={failure} />}
    </>
  );
}

function useBoardFiles(asked: Asked, positive: string | null) {
  const store = useStore();
  const client = useClient();
  const requests = useRequests();
  const { start } = usePlace();
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const [told, setTold] = useState("");
  const [warning, setWarning] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const during = async (work: (asking: Asking) => Promise<string>) => {
    const controller = new AbortController();
    running.current = controller;
    setProgress(null);
    setBusy(true);
    setFailure(null);
    setWarning("");
    setTold("");
    try {
      setTold(await work({ signal: controller.signal, onProgress: (done, total) => setProgress(total ? done / total : null) }));
    } catch (error) {
      setFailure(error instanceof Refused ? { kind: "input", message: error.message } : failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const rows = async () => (await client.ask({ kind: "fingerprint" })) as Rows;

  const save = () =>
    during(async () => {
      const { plumbline, ...data } = await rows();
      const { board } = store.state;
      const text = boardText({ board, data, state: toFragment({ ...store.state, table: null }) }, plumbline);
      const filename = `${slug(board.name)}.plumbline.json`;
      download({ filename, mime: "application/json", bytes: new TextEncoder().encode(text) });
      return `Saved ${filename}.`;
    });

  const open = (file: File) =>
    during(async () => {
      if (file.size > LARGEST) throw new Refused("This file is larger than 5 MB, so it is not a board.");
      const saved = readBoard(await file.text(), drawable(requests));
      const now = await rows();
      const same = saved.data.fingerprint === now.fingerprint;
      const { state } = store;
      // The panels go back to how they were saved only on the same rows: others may have other names.
      const around = same ? { ...fromFragment(saved.state), table: state.table } : state;
      store.change({ ...around, room: "board", board: saved.board });
      if (!same) setWarning(`This board belongs to another table: ${saved.data.name}, ${counted(saved.data.n, "example")}. Its charts now show the open table, ${now.name}.`);
      return `Opened ${saved.board.name}: ${counted(saved.board.pins.length, "card")}.`;
    });

  const page = () =>
    during(async (asking) => {
      const { name, pins } = store.state.board;
      const seconds = start?.limits.seconds === undefined ? null : SHARE * start.limits.seconds;
      const what = { kind: "board", pins: pins.map(({ title, note, question }) => ({ title, note, question })), seconds };
      const made = (await client.host.ask(client.table, { kind: "export", what, format: "html", title: name || "Board" }, asking)) as PageAnswer;
      download(made);
      if (made.left_out) setWarning(`${counted(made.left_out, "card")} of ${pins.length} could not be drawn in time. The page lists them with the reason.`);
      return `Saved ${made.filename}.`;
    });

  const live = () =>
    during(async () => {
      const { plumbline: version, ...data } = await rows();
      const { name, pins } = store.state.board;
      const keys = pins.flatMap(({ id }) => [...(asked.get(id) ?? [])]);
      if (keys.some((key) => client.knownAs(key) === undefined)) setWarning("Some results were not there yet, so that the page cannot show them.");
      const answers = Object.fromEntries(keys.map((key) => [key, client.knownAs(key)]));
      const saved = { name: name || "Board", version, data, positive, pins: pins.map((pin) => ({ ...pin, from: null })), answers };
      const text = pageText(saved, await client.host.assets());
      const filename = `${slug(saved.name)}-interactive.html`;
      download({ filename, mime: "text/html", bytes: new TextEncoder().encode(text) });
      return `Saved ${filename}.`;
    });

  const cancel = () => running.current?.abort();
  return { told, warning, failure, busy, progress, cancel, save, open, page, live };
}
