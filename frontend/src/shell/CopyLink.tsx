import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store";
import { toFragment } from "../url";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/fields";

const SAID = 2500; // milliseconds

// The address that shows what is shown now; as text where the browser lets nobody write to the clipboard.
export function CopyLink() {
  const store = useStore();
  const [done, setDone] = useState(false);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), SAID);
    return () => clearTimeout(timer);
  }, [done]);
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
      <span role="status">{done && <span class="toast">Link copied.</span>}</span>
      {text !== null && (
        <Dialog title="Link to what is shown" onClose={() => setText(null)}>
          <Field label="Address" hint="It works as long as this server runs and the table is open.">
            {(id) => <input id={id} readOnly value={text} onFocus={(event) => event.currentTarget.select()} />}
          </Field>
        </Dialog>
      )}
    </>
  );
}
