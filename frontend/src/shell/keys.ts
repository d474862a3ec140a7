// Keys that work everywhere but where text is typed.
export type Wanted = "undo" | "redo" | "help";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

export function shortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): Wanted | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    const letter = key.toLowerCase();
    if (letter === "z") return shiftKey ? "redo" : "undo";
    return letter === "y" && !shiftKey ? "redo" : null;
  }
  return key === "?" ? "help" : null;
}

const TYPED = new Set(["text", "search", "number", "url", "email", "password", "tel", "date"]);

// Whether keys go into a text; its own undo is the browser's.
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return TYPED.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
