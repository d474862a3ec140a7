import type { Host } from "../host";
import { useStore } from "../store";

export function StartPage({ host }: { host: Host }) {
  const store = useStore();
  const open = async (file: File | undefined) => {
    if (file) store.replace({ ...store.state, table: await host.upload(file) });
  };
  return (
    <main class="start">
      <h1>Plumbline</h1>
      <label>
        A table of predictions: <input type="file" onChange={(event) => open(event.currentTarget.files?.[0])} />
      </label>
    </main>
  );
}
