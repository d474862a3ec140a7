// The one module: a page mounts it into #workbench, a notebook calls `render`.
import { render as show } from "preact";
import { App } from "./App";
import { SavedBoard } from "./board/SavedBoard";
import { readPage } from "./board/savedPage";
import type { Host } from "./host";
import { httpHost } from "./host_http";
import { widgetHost, type WidgetModel } from "./host_widget";
import { ThemeChoice } from "./shell/theme";
import { Store } from "./store";
import { followAddress, fromFragment } from "./url";
import "./styles/index.css";

const GESTURE_ENDS = ["pointerup", "pointercancel", "focusout"]; // they come after what the gesture changed

export function mount(element: HTMLElement, host: Host, store: Store): () => void {
  const theme = new ThemeChoice(element);
  const app = <App host={host} store={store} theme={theme} />;
  if (host.notebook) numbered(app);
  const settle = () => store.settle();
  for (const end of GESTURE_ENDS) element.addEventListener(end, settle);
  show(app, element);
  return () => {
    for (const end of GESTURE_ENDS) element.removeEventListener(end, settle);
    theme.stop();
    show(null, element);
  };
}

// Several widgets share a page, and each counts the ids of its labels from 0: Preact puts the first of
// these two numbers before the count.
function numbered(app: object): void {
  (app as { __m?: [number, number] }).__m = [Math.floor(Math.random() * 1e9), 0];
}

// What anywidget calls for every view of a widget; what it returns takes the view away. The widget is
// a tree of its own (shadow DOM), so that no style of the notebook's page reaches it, and none of its
// styles the page.
function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const outer = document.createElement("div");
  outer.dataset["lmSuppressShortcuts"] = "true"; // keys pressed in here are no commands of a notebook
  outer.addEventListener("keydown", (event) => event.stopPropagation());
  const style = document.createElement("style");
  style.textContent = String(model.get("style") ?? "");
  const root = document.createElement("div");
  root.className = "plumbline widget";
  const size = () => (root.style.height = `${Number(model.get("height")) || 720}px`);
  size();
  model.on("change:height", size);
  outer.attachShadow({ mode: "open" }).append(style, root);
  el.append(outer);
  const leave = mount(root, widgetHost(model), new Store());
  return () => {
    model.off("change:height", size);
    leave();
    outer.remove();
  };
}

export default { render };

const page = document.getElementById("workbench");
const saved = document.getElementById("saved")?.textContent;
if (page && saved) {
  show(<SavedBoard saved={readPage(saved)} store={new Store()} theme={new ThemeChoice(page)} />, page);
} else if (page) {
  const store = new Store(fromFragment(location.hash));
  followAddress(store);
  mount(page, httpHost, store);
}
