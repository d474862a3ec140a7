import { useState } from "preact/hooks";
import type { Example } from "../host";
import { usePlace } from "../shell/place";

// Tables that need no file.
export function Examples({ examples, busy, onFailure }: { examples: readonly Example[]; busy: boolean; onFailure: (error: unknown) => void }) {
  const { host, open } = usePlace();
  const [opening, setOpening] = useState<string | null>(null);
  if (!examples.length) return null;
  const choose = async (name: string) => {
    setOpening(name);
    try {
      open(await host.example(name));
    } catch (error) {
      setOpening(null);
      onFailure(error);
    }
  };
  return (
    <section class="stack" aria-labelledby="examples">
      <h2 id="examples">Or try an example</h2>
      <ul class="cards">
        {examples.map(({ name, title, text }) => (
          <li key={name}>
            <button type="button" disabled={busy || opening !== null} onClick={() => choose(name)}>
              <strong>{opening === name ? `Opening ${title} …` : title}</strong>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
