import { useEffect } from "preact/hooks";
import { useStore } from "../store";
import { Dialog } from "../ui/Dialog";
import { isTyping, shortcut } from "./keys";
import { usePlace } from "./place";

const KEYS: [string, string][] = [
  ["Ctrl+Z", "Undo the last change (⌘Z on a Mac)"],
  ["Ctrl+Shift+Z", "Redo it; Ctrl+Y does the same"],
  ["Tab, Shift+Tab", "Go to the next or the previous control"],
  ["← →", "In a chart: move the threshold along the curve"],
  ["PgUp, PgDn", "In a chart: move it ten steps"],
  ["Home, End", "In a chart: to the first or the last point"],
  ["+ − 0", "In a chart: zoom in, zoom out, show all of it"],
  ["Shift+arrows", "In a zoomed chart: move what is shown"],
  ["Ctrl+Space", "In a formula: offer names"],
  ["Esc", "Close a list, a menu or a window"],
  ["?", "Show this list"],
];

// Listens to the keys that work everywhere, and shows what they are.
export function KeyboardHelp({ open, onOpen, onClose }: { open: boolean; onOpen: () => void; onClose: () => void }) {
  const store = useStore();
  const { host, theme } = usePlace();
  const heard: HTMLElement | Document = host.notebook ? theme.root : document; // a notebook has keys of its own
  useEffect(() => {
    const press = (event: Event) => {
      if (event.defaultPrevented || isTyping(event.target) || (theme.root.getRootNode() as ParentNode).querySelector("dialog[open]")) return;
      const wanted = shortcut(event as KeyboardEvent);
      if (wanted === null) return;
      event.preventDefault();
      if (wanted === "undo") store.undo();
      else if (wanted === "redo") store.redo();
      else onOpen();
    };
    heard.addEventListener("keydown", press);
    return () => heard.removeEventListener("keydown", press);
  }, [store, onOpen, heard]);
  if (!open) return null;
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="facts keys">
        {KEYS.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
