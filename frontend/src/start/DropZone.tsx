import { useId, useRef, useState } from "preact/hooks";
import type { Start } from "../host";
import { numberText } from "../ui/format";
import { sizeText } from "./files";

// A file is dropped here, or chosen with the browser's own window.
export function DropZone({ onFile, start: { files, limits } }: { onFile: (file: File) => void; start: Start }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file) onFile(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const choose = () => {
    const file = input.current?.files?.[0];
    if (file) onFile(file);
  };
  return (
    <div class={over ? "drop over" : "drop"} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
      <label for={id}>Open a table of predictions</label>
      <input ref={input} id={id} type="file" accept={[...(files?.endings ?? []), ...(files?.packed ?? [])].join(",")} onChange={choose} />
      <small>
        Choose a file or drop it here{files && `: ${files.names}`}
        {limitText(limits)}.
      </small>
    </div>
  );
}

function limitText({ upload_bytes, rows }: Start["limits"]): string {
  const size = upload_bytes === undefined ? [] : [sizeText(upload_bytes)];
  const most = rows === undefined ? [] : [`${numberText(rows)} rows`];
  const parts = [...size, ...most];
  return parts.length ? `, at most ${parts.join(" and ")}` : "";
}
