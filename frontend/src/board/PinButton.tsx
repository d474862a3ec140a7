import type { Question } from "../host";

// Keeps a chart on the board: the question that draws it, under a title.
export function PinButton({ question, title }: { question: Question; title: string }) {
  return (
    <button disabled title={`${title}: ${question.kind}`}>
      Pin
    </button>
  );
}
