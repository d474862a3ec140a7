import { useEffect } from "preact/hooks";
import { useStore } from "../store";
import { type Requests, useRequests } from "../requests";
import { drawable } from "../views";
import { readPins } from "./boardFile";
import type { BoardState } from "./state";

const LONGEST_NAME = 500;

// Keeps the board of a table while the page is reloaded; a notebook keeps none, for its widgets share a page.
export function BoardKeeper({ table }: { table: string }) {
  const store = useStore();
  const requests = useRequests();
  useEffect(() => {
    const place = placeOf(table);
    const kept = recalled(place, requests);
    if (kept !== null && !store.state.board.pins.length) store.replace({ ...store.state, board: kept });
    let last = store.state.board;
    return store.subscribe(() => {
      if (store.state.board === last || store.state.table !== table) return;
      last = store.state.board;
      keep(place, last);
    });
  }, [store, table]);
  return null;
}

const placeOf = (table: string): string => `plumbline.board.${table}`;

// The board goes with a file that was opened anew under another key.
export function moveBoard(from: string, to: string): void {
  try {
    const kept = sessionStorage.getItem(placeOf(from));
    if (kept !== null && sessionStorage.getItem(placeOf(to)) === null) sessionStorage.setItem(placeOf(to), kept);
  } catch {
    // As below: it is only a convenience.
  }
}

// What cannot be read is as good as not there: it is only a convenience.
function recalled(place: string, requests: Requests): BoardState | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(place) ?? "null") as { name?: unknown; pins?: unknown } | null;
    if (found === null || typeof found.name !== "string" || found.name.length > LONGEST_NAME) return null;
    return { name: found.name, pins: readPins(found.pins, drawable(requests)) };
  } catch {
    return null;
  }
}

function keep(place: string, board: BoardState): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(board));
  } catch {
    // Full or forbidden: the board lives until the page is left, and "Save board" is there.
  }
}
