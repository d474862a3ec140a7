import { useId } from "preact/hooks";
import { useWatched } from "../store";
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
      <select id={id} value={chosen} onChange={(event) => theme.choose(event.currentTarget.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {WORDS[name]}
          </option>
        ))}
      </select>
    </span>
  );
}
