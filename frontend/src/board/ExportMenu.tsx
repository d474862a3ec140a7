import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { failureOf, useAnswer, useClient } from "../ask";
import type { Failure, Question } from "../host";
import { thresholdIn, unitOfQuestion } from "../cursor";
import { usePart } from "../store";
import { Notice } from "../ui/Notice";
import { download, type FileAnswer } from "./download";

interface Formats {
  formats: Record<string, string[]>; // kind of question -> what it can be downloaded as
}

const EDGE = 8; // pixels between the panel and the edge
const LABELS: Record<string, string> = {
  svg: "SVG picture",
  png: "PNG picture",
  pdf: "PDF picture",
  csv: "CSV table",
  json: "JSON",
  html: "HTML page",
  py: "Python code",
};

// Downloads what a question draws, as far as its kind goes: pictures, numbers, a page, code.
// The number of a curve is that at the shared threshold.
export function ExportMenu({ question: drawn, name }: { question: Question; name: string }) {
  const threshold = usePart((state) => thresholdIn(state, unitOfQuestion(drawn)));
  const question = drawn.kind === "curve" && threshold !== null ? { ...drawn, threshold } : drawn;
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const close = () => setOpen(false);
  const panel = useRef<HTMLDivElement>(null);
  useInside(panel, open);
  useEffect(() => {
    if (!open) return undefined;
    // In a widget the target that the document sees is the widget itself; the path is whole.
    const outside = (event: Event) => !event.composedPath().includes(box.current!) && close();
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  return (
    <div
      class="export"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        close();
        box.current?.querySelector("button")?.focus();
      }}
    >
      <button type="button" aria-expanded={open} aria-label={`Export ${name}`} onClick={() => (open ? close() : setOpen(true))}>
        Export
      </button>
      {open && (
        <div class="export-panel" ref={panel} role="group" aria-label={`Export ${name} as`}>
          <Formatted question={question} name={name} />
        </div>
      )}
    </div>
  );
}

// Moves a panel sideways until it lies within the workbench, however wide its words become.
function useInside(panel: { current: HTMLElement | null }, open: boolean): void {
  useLayoutEffect(() => {
    const element = panel.current;
    const root = element?.closest(".plumbline");
    if (!element || !root) return undefined;
    const look = () => {
      const { left, right } = element.getBoundingClientRect();
      const before = Number(element.dataset["moved"] ?? 0);
      const room = root.getBoundingClientRect();
      const end = Math.min(room.right, window.innerWidth) - EDGE;
      const by = Math.min(0, Math.max(end - (right - before), room.left + EDGE - (left - before)));
      element.dataset["moved"] = String(by);
      element.style.transform = `translateX(${by}px)`;
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [panel, open]);
}

function Formatted({ question, name }: { question: Question; name: string }) {
  const offered = useAnswer<Formats>({ kind: "formats" });
  const { save, copy, busy, told, failure } = useExports(question, name);
  const first = useRef<HTMLUListElement>(null);
  const kinds = offered.answer?.formats[question.kind] ?? [];
  useEffect(() => first.current?.querySelector("button")?.focus(), [kinds.length]);
  if (offered.error) return <Notice failure={offered.error} retry={offered.retry} />;
  if (offered.answer && !kinds.length) return <p>There is nothing to export here.</p>;
  return (
    <>
      <ul ref={first}>
        {kinds.map((format) => (
          <li key={format}>
            <button type="button" aria-disabled={busy} onClick={() => void save(format)}>
              {LABELS[format] ?? format}
            </button>
          </li>
        ))}
        {kinds.includes("py") && (
          <li>
            <button type="button" aria-disabled={busy} onClick={() => void copy()}>
              Copy as Python
            </button>
          </li>
        )}
      </ul>
      <p class="hint" role="status">
        {busy ? "Making the file …" : told}
      </p>
      {failure && <Notice failure={failure} />}
    </>
  );
}

function useExports(question: Question, name: string) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  // Files are asked for straight, not kept like answers: they may be large.
  const file = async (format: string) =>
    (await client.host.ask(client.table, { kind: "export", what: question, format, title: name })) as FileAnswer;
  const during = async (format: string, work: (made: FileAnswer) => Promise<string> | string) => {
    if (busy) return; // the buttons only look disabled, so that they keep the focus
    setBusy(true);
    setFailure(null);
    setTold("");
    try {
      setTold(await work(await file(format)));
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const save = (format: string) =>
    during(format, (made) => {
      download(made);
      return `Saved ${made.filename}.`;
    });
  const copy = () =>
    during("py", async (made) => {
      await navigator.clipboard.writeText(new TextDecoder().decode(made.bytes));
      return "Copied.";
    });
  return { save, copy, busy, told, failure };
}

