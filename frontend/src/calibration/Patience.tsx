import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useClient } from "../ask";
import type { Question } from "../host";
import { Hint } from "../ui/Notice";

const MOST = 5e8; // labels drawn: more may take half a minute

// A question that would take long on so many rows is asked once it is wanted.
export function usePatience(question: Question | null, labels: number): { question: Question | null; want: (() => void) | null } {
  const client = useClient();
  const [wanted, setWanted] = useState<string | null>(null);
  const key = JSON.stringify(question);
  if (question === null || labels <= MOST || wanted === key || client.known(question) !== undefined) return { question, want: null };
  return { question: null, want: () => setWanted(key) };
}

export const PatienceRow = ({ what, want }: { what: string; want: () => void }) => (
  <div class="row">
    <button onClick={want}>{what}</button>
    <Hint>On so many rows this may take a minute; fewer draws (under “More”) are quicker.</Hint>
  </div>
);

// What would take long on so many rows waits until it is wanted.
export function Patience({ question, labels, what, children }: { question: Question; labels: number; what: string; children: () => ComponentChildren }) {
  const { want } = usePatience(question, labels);
  return want === null ? <>{children()}</> : <PatienceRow what={what} want={want} />;
}
