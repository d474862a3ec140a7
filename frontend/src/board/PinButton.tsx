import type { Question } from "../host";
import { usePart, useStore } from "../store";
import { isPinned, MOST_PINS, pinned } from "./pins";

// Keeps a chart on the board: the question that draws it, under a title, with the state around it.
export function PinButton({ question, title }: { question: Question; title: string }) {
  const store = useStore();
  const pins = usePart((state) => state.board.pins);
  if (isPinned(pins, question)) {
    return (
      <button type="button" class="pin" aria-label={`${title}: show on the board`} onClick={() => store.go("board")}>
        On the board
      </button>
    );
  }
  const full = pins.length >= MOST_PINS;
  return (
    <button
      type="button"
      class="pin"
      aria-label={`Pin ${title} to the board`}
      disabled={full}
      {...(full ? { title: `The board is full: ${MOST_PINS} cards` } : {})}
      onClick={() => store.edit("board", { pins: [...store.state.board.pins, pinned(question, title, store.state)] })}
    >
      Pin
    </button>
  );
}
