import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useClient } from "../ask";
import { useWatched } from "../store";
import { usePlace } from "./place";

const EVERY = 30_000; // milliseconds between two signs of life
const WATCHED = 1_500; // where a watched file may have been read anew

// Tells the server that somebody is here; says so where it does not answer, or has closed the table.
export function Trouble({ children }: { children: ComponentChildren }) {
  const client = useClient();
  const place = usePlace();
  const kind = useWatched(client, () => client.trouble?.kind ?? null);
  const watched = place.start?.watched === true && [place.start.served, ...(place.start.former ?? [])].includes(client.table);
  const latest = useWatched(client, () => client.latest);
  const news = useWatched(client, () => client.news) ?? (client.table === place.start?.served ? place.start?.news : null);
  useEffect(() => {
    const timer = setInterval(() => void client.alive(), watched ? WATCHED : EVERY);
    const look = () => document.visibilityState === "visible" && void client.alive();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client, watched]);
  useEffect(() => place.host.onLost?.(() => void client.alive()), [client, place.host]);
  useEffect(() => {
    if (latest !== client.table) place.follow(client.table, latest, client.news);
    else if (watched && kind === "gone") void client.alive(); // read anew more than once since
  }, [latest, kind]);
  if (kind === "gone" && place.host.notebook) {
    return (
      <main class="lonely">
        <h1>The kernel was restarted</h1>
        <p>This table was in its memory. Run this cell again, after the cells that read the table.</p>
      </main>
    );
  }
  if (kind === "gone") {
    return (
      <main class="lonely">
        <h1>This table is closed</h1>
        <p>
          The server no longer has it: it was closed, idle too long, or the server was restarted. Open the file again.
        </p>
        <button type="button" class="primary" onClick={place.close}>
          Back to the start
        </button>
      </main>
    );
  }
  return (
    <>
      {kind === "offline" && (
        <div class="offline" role="alert">
          <span>The server does not answer. Is plumbline serve still running?</span>
          <button type="button" onClick={() => void client.alive()}>
            Try again
          </button>
        </div>
      )}
      {news && (
        <div class="offline" role="status">
          <span>{news}</span>
          {!watched && (
            <button type="button" onClick={() => location.reload()}>
              Reload
            </button>
          )}
        </div>
      )}
      {children}
    </>
  );
}
