import { useEffect, useState } from "preact/hooks";
import { usePart, useStore } from "../store";
import { toFragment } from "../url";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/fields";

const SAID = 2500; // milliseconds
const SAID_LONGER = 6000; // where there is more to read
const NO_BOARD = "The link does not include the board: use Save board.";

// The address that shows what is shown now; as text where the browser lets nobody write to the clipboard.
export function CopyLink() {
  const store = useStore();
  const pinned = usePart((state) => state.board.pins.length > 0);
  const [done, setDone] = useState(false);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), pinned ? SAID_LONGER : SAID);
    return () => clearTimeout(timer);
  }, [done, pinned]);
  const copy = async () => {
    const address = `${location.origin}${location.pathname}${toFragment(store.state)}`;
    try {
      await navigator.clipboard.writeText(address);
      setDone(true);
    } catch {
      setText(address);
    }
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        Copy link
      </button>
      <span role="status">{done && <span class="toast">{pinned ? `Link copied. ${NO_BOARD}` : "Link copied."}</span>}</span>
      {text !== null && (
        <Dialog title="Link to what is shown" onClose={() => setText(null)}>
          <Field label="Address" hint={`It works as long as this server runs and the table is open.${pinned ? ` ${NO_BOARD}` : ""}`}>
            {(id) => <input id={id} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />}
          </Field>
        </Dialog>
      )}
    </>
  );
}
