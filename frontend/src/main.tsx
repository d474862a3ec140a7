// The one module: a page mounts it into #workbench, a notebook calls `render`.
import { render as show } from "preact";
import { App } from "./App";
import type { Host } from "./host";
import { httpHost } from "./host_http";
import { Store } from "./store";
import { fromFragment, toFragment } from "./url";
import "./styles/index.css";

export function mount(element: HTMLElement, host: Host, store: Store): () => void {
  show(<App host={host} store={store} />, element);
  return () => show(null, element);
}

const page = document.getElementById("workbench");
if (page) {
  const store = new Store(fromFragment(location.hash));
  store.subscribe(() => history.replaceState(null, "", toFragment(store.state) || location.pathname));
  window.addEventListener("hashchange", () => store.replace(fromFragment(location.hash)));
  mount(page, httpHost, store);
}
