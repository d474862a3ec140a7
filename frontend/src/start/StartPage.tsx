import { useEffect, useState } from "preact/hooks";
import { failureOf } from "../ask";
import type { Failure, Start } from "../host";
import { Brand } from "../shell/Brand";
import { usePlace } from "../shell/place";
import { ThemeSelect } from "../shell/ThemeSelect";
import { Notice } from "../ui/Notice";
import { ColumnsPage } from "./ColumnsPage";
import { DropZone } from "./DropZone";
import { Examples } from "./Examples";
import { refusal } from "./files";
import { Uploading } from "./Uploading";
import { Disclosure } from "../ui/Disclosure";

type Step =
  | { at: "choosing"; failure: Failure | null }
  | { at: "sending"; name: string; share: number | null; cancel: () => void }
  | { at: "columns"; name: string; table: string };

// No table is open yet: a file, or an example.
export function StartPage({ start }: { start: Start }) {
  const { host, open } = usePlace();
  const [step, setStep] = useState<Step>({ at: "choosing", failure: null });
  useEffect(() => {
    document.title = "Plumbline";
  }, []);

  const fail = (error: unknown) => setStep({ at: "choosing", failure: failureOf(error) });
  const send = async (file: File) => {
    const refused = refusal(file, start);
    if (refused) return setStep({ at: "choosing", failure: refused });
    const controller = new AbortController();
    const sending = (share: number | null) => setStep({ at: "sending", name: file.name, share, cancel: () => controller.abort() });
    sending(null);
    try {
      const table = await host.upload(file, { signal: controller.signal, onProgress: (done, total) => sending(done / total) });
      setStep({ at: "columns", name: file.name, table });
    } catch (error) {
      fail(error);
    }
  };
  const leave = (table: string) => {
    host.close(table).catch(() => undefined); // it closes by itself in time
    setStep({ at: "choosing", failure: null });
  };
  if (step.at === "columns") return <ColumnsPage table={step.table} onCancel={() => leave(step.table)} />;
  return (
    <div class="start">
      <header class="row">
        <Brand />
        <ThemeSelect />
      </header>
      <main class="stack">
        <div>
          <h1>How good are your classifier’s predictions?</h1>
          <p class="lead">Curves, calibration, model comparison and confusion matrices of a table of predictions. Everything stays on this machine.</p>
        </div>
        {step.at === "sending" ? <Uploading {...step} /> : <DropZone onFile={send} start={start} />}
        {step.at === "choosing" && step.failure && <Notice failure={step.failure} />}
        {start.served !== null && (
          <div class="row">
            <button type="button" onClick={() => open(start.served!)}>
              Open the table this server was started with
            </button>
          </div>
        )}
        <Examples examples={start.examples} busy={step.at === "sending"} onFailure={fail} />
        <Layout />
      </main>
    </div>
  );
}

// What a table looks like, for those who have none yet.
function Layout() {
  return (
    <Disclosure class="panel" title="What must the table hold?">
      <p>
        One row is one example: its true class and the predicted probability of each class (one is enough for two classes).
        Names and values tell which column is which, as on the command line, and you can correct it. Several models stand beside
        each other, one column each, or below each other with a column of their names. Columns for fold and weight are optional.
        All other columns are attributes, for filters and formulas.
      </p>
      <pre class="sample">{"actual,p:no,p:yes,age\nno,0.82,0.18,34\nyes,0.31,0.69,51"}</pre>
    </Disclosure>
  );
}
