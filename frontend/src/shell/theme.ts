// Light or dark: as JupyterLab says where the page is one, else as the system does, unless the reader
// chose; remembered where the browser allows it.
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "plumbline-theme";
const DARK = "(prefers-color-scheme: dark)";
const LAB = "data-jp-theme-light"; // of the body: "true" or "false"

export class ThemeChoice {
  chosen: Theme;
  private readonly listeners = new Set<() => void>();
  private readonly system = matchMedia(DARK);
  private readonly lab = new MutationObserver(() => this.show());

  constructor(readonly root: HTMLElement) {
    this.chosen = remembered();
    this.system.addEventListener("change", this.show);
    this.lab.observe(document.body, { attributeFilter: [LAB] });
    this.show();
  }

  choose(theme: Theme): void {
    this.chosen = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that remembers nothing still shows the theme.
    }
    this.show();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop(): void {
    this.system.removeEventListener("change", this.show);
    this.lab.disconnect();
  }

  private readonly show = (): void => {
    const light = document.body.getAttribute(LAB);
    const around = light === null ? this.system.matches : light === "false";
    const dark = this.chosen === "dark" || (this.chosen === "system" && around);
    this.root.dataset["theme"] = dark ? "dark" : "light";
    for (const listener of [...this.listeners]) listener();
  };
}

function remembered(): Theme {
  try {
    const known = localStorage.getItem(KEY) as Theme | null;
    return known !== null && THEMES.includes(known) ? known : "system";
  } catch {
    return "system";
  }
}
