import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { About } from "../answers";
import { useClient } from "../ask";
import { positiveOfTwo } from "../data/choosing";
import { usePart, useStore } from "../store";
import { BoardCard, type Step } from "./BoardCard";
import { BoardFiles } from "./BoardFiles";
import { MOST_PINS, moved, noteCard } from "./pins";
import type { Asked } from "./savedPage";

// Pinned charts and notes, side by side; every chart is drawn from the data, and shares the threshold.
export function BoardRoom({ about }: { about: About }) {
  const store = useStore();
  const board = usePart((state) => state.board);
  const nameId = useId();
  const client = useClient();
  const asked = useMemo<Asked>(() => new Map(), [client]);
  return (
    <div class="stack board">
      <div class="panel board-head">
        <div class="field">
          <label for={nameId}>Name of the board</label>
          <input id={nameId} value={board.name} maxLength={200} onInput={(event) => store.edit("board", { name: event.currentTarget.value }, "board name")} />
        </div>
        <div class="tools">
          <button type="button" disabled={board.pins.length >= MOST_PINS} onClick={() => store.edit("board", { pins: [...store.state.board.pins, noteCard()] })}>
            Add note
          </button>
          <BoardFiles asked={asked} positive={positiveOfTwo(about, null)} />
        </div>
      </div>
      {board.pins.length > 0 && <p class="hint">Every chart keeps the rows and settings it was pinned with; the data panel does not change it.</p>}
      {board.pins.length ? <Cards about={about} asked={asked} /> : <Empty />}
    </div>
  );
}

const Empty = () => (
  <div class="empty">
    <p>Nothing is pinned yet. “Pin” beside a chart puts it here, with room for a note.</p>
    <p>A board can be saved as a file, opened with this or another table, and exported as one page, whose threshold still moves or which has pictures alone.</p>
  </div>
);

function Cards({ about, asked }: { about: About; asked: Asked }) {
  const store = useStore();
  const pins = usePart((state) => state.board.pins);
  const grid = useRef<HTMLUListElement>(null);
  const columns = useColumns(grid);
  const [dragged, setDragged] = useState<string | null>(null);
  const [told, setTold] = useState("");
  const hand = useRef<{ id: string; step: Step } | null>(null);

  // A card that moves takes the focus of its button along.
  useLayoutEffect(() => {
    if (!hand.current) return;
    const { id, step } = hand.current;
    hand.current = null;
    const card = grid.current?.querySelector(`[data-card="${id}"]`);
    const button = card?.querySelector<HTMLButtonElement>(`[data-step="${step}"]`);
    (button?.disabled ? card?.querySelector<HTMLElement>("[data-step]:not(:disabled), .card-title") : button)?.focus();
  }, [pins]);

  const target = (place: number, step: Step): number => place + { left: -1, right: 1, up: -columns, down: columns }[step];
  const put = (id: string, place: number) => {
    const title = pins.find((pin) => pin.id === id)?.title ?? "";
    store.edit("board", { pins: moved(store.state.board.pins, id, place) });
    setTold(`${title} is now card ${place + 1} of ${pins.length}.`);
  };

  return (
    <>
      <ul class="board-cards" ref={grid}>
        {pins.map((pin, place) => (
          <BoardCard
            key={pin.id}
            pin={pin}
            about={about}
            asked={asked}
            canGo={(step) => target(place, step) >= 0 && target(place, step) < pins.length && !(columns === 1 && (step === "left" || step === "right"))}
            go={(step) => {
              hand.current = { id: pin.id, step };
              put(pin.id, target(place, step));
            }}
            dragged={dragged === pin.id}
            onDrag={(on) => setDragged(on ? pin.id : null)}
            onDropped={() => {
              if (dragged !== null && dragged !== pin.id) put(dragged, place);
              setDragged(null);
            }}
          />
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        {told}
      </p>
    </>
  );
}

// How many cards stand beside each other.
function useColumns(grid: { current: HTMLElement | null }): number {
  const [columns, setColumns] = useState(1);
  useEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    const look = () => setColumns(Math.max(1, getComputedStyle(element).gridTemplateColumns.split(" ").length));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid]);
  return columns;
}
