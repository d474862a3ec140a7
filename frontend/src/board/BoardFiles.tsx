import { useRef, useState } from "preact/hooks";
import { failureOf, useDesk } from "../ask";
import type { Failure } from "../host";
import { useStore } from "../store";
import { fromFragment, toFragment } from "../url";
import { counted } from "../ui/format";
import { Notice } from "../ui/Notice";
import { boardText, LARGEST, readBoard, Refused } from "./boardFile";
import { drawable } from "./BoardKeeper";
import { download, type FileAnswer, slug } from "./download";

interface Rows {
  plumbline: string;
  name: string;
  n: number;
  fingerprint: string;
}

// Save, open and export the board as a whole.
export function BoardFiles() {
  const { told, warning, failure, busy, save, open, page } = useBoardFiles();
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
      <div class="board-told" role="status">
        {busy ? "Working …" : told}
        {warning && <p class="notice">{warning}</p>}
      </div>
      {failure && <Notice failure={failure} />}
    </>
  );
}

function useBoardFiles() {
  const store = useStore();
  const desk = useDesk();
  const [told, setTold] = useState("");
  const [warning, setWarning] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const during = async (work: () => Promise<string>) => {
    setBusy(true);
    setFailure(null);
    setWarning("");
    setTold("");
    try {
      setTold(await work());
    } catch (error) {
      setFailure(error instanceof Refused ? { kind: "input", message: error.message } : failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const rows = async () => (await desk.ask({ kind: "fingerprint" })) as Rows;

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
      if (file.size > LARGEST) throw new Refused("This file is larger than 5 MB; a board is smaller.");
      const saved = readBoard(await file.text(), drawable);
      const now = await rows();
      const same = saved.data.fingerprint === now.fingerprint;
      const { state } = store;
      // The panels go back to how they were saved only on the same rows: others may have other names.
      const around = same ? { ...fromFragment(saved.state), table: state.table } : state;
      store.change({ ...around, room: "board", board: saved.board });
      if (!same) setWarning(`This board was made from other rows: ${saved.data.name}, ${counted(saved.data.n, "row")}. Its charts are drawn from the table that is open now, ${now.name}.`);
      return `Opened ${saved.board.name}: ${counted(saved.board.pins.length, "card")}.`;
    });

  const page = () =>
    during(async () => {
      const { name, pins } = store.state.board;
      const what = { kind: "board", pins: pins.map(({ title, note, question }) => ({ title, note, question })) };
      const made = (await desk.host.ask(desk.table, { kind: "export", what, format: "html", title: name || "Board" })) as FileAnswer;
      download(made);
      return `Saved ${made.filename}.`;
    });

  return { told, warning, failure, busy, save, open, page };
}
