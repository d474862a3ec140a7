import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useClient } from "../ask";
import type { Question } from "../host";
import { Hint } from "../ui/Notice";

const MOST = 5e8; // labels drawn: more may take half a minute

// What would take long on so many rows waits until it is wanted.
export function Patience({ question, labels, what, children }: { question: Question; labels: number; what: string; children: () => ComponentChildren }) {
  const client = useClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const key = JSON.stringify(question);
  if (labels <= MOST || wanted === key || client.known(question) !== undefined) return <>{children()}</>;
  return (
    <div class="row">
      <button onClick={() => setWanted(key)}>{what}</button>
      <Hint>On so many rows this may take a minute; fewer draws (under “More”) are quicker.</Hint>
    </div>
  );
}
