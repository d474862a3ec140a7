import { useId } from "preact/hooks";
import { useWatched } from "../store";
import { Listbox } from "../ui/Listbox";
import { usePlace } from "./place";
import { THEMES, type Theme } from "./theme";

const WORDS: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function ThemeSelect() {
  const { theme } = usePlace();
  const id = useId();
  const chosen = useWatched(theme, () => theme.chosen);
  return (
    <span class="theme">
      <label for={id}>Theme</label>
      <Listbox id={id} value={chosen} choices={THEMES.map((value) => ({ value, label: WORDS[value] }))} onChange={(value) => theme.choose(value as Theme)} />
    </span>
  );
}
