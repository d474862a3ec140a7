import { useEffect, useRef } from "preact/hooks";
import { Brand } from "../shell/Brand";
import { usePlace } from "../shell/place";
import { ThemeSelect } from "../shell/ThemeSelect";
import { ColumnsForm } from "./ColumnsForm";

// What the columns of a table mean, before it is opened.
export function ColumnsPage({ table, onCancel }: { table: string; onCancel: () => void }) {
  const { open } = usePlace();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = "Plumbline";
    title.current?.focus();
  }, []);
  return (
    <div class="start">
      <header class="row">
        <Brand />
        <ThemeSelect />
      </header>
      <main class="stack">
        <h1 ref={title} tabIndex={-1}>
          What do the columns mean?
        </h1>
        <ColumnsForm table={table} onOpened={open} onCancel={onCancel} />
      </main>
    </div>
  );
}
