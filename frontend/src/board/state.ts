// What lies on the board: pinned questions with what the workbench looked like, and notes.
import type { Question } from "../host";

export interface Pin {
  id: string;
  title: string;
  note: string; // Markdown, never HTML
  question: Question | null; // null: a card of text alone
  wide?: boolean; // takes the whole row
  from: string | null; // the state it was pinned from, as the fragment of a URL
}

export interface BoardState {
  name: string;
  pins: Pin[];
}

export const boardDefaults: BoardState = { name: "Board", pins: [] };
