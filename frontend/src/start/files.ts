// Which files a table can be in, and how large they may be; the server says which it can open.
import type { Failure, Start } from "../host";

// Why a file is refused before it is sent; null where it is not.
export function refusal(file: { name: string; size: number }, { files, limits }: Pick<Start, "files" | "limits">): Failure | null {
  const name = file.name.toLowerCase();
  if (files && !files.endings.some((ending) => name.endsWith(ending))) {
    const why = /\.(pkl|pickle|joblib)$/.test(name) ? " A pickle can run code when it is read; save the table as Parquet." : "";
    return { kind: "input", message: `${file.name} cannot be opened here: ${files.names} can.${why}` };
  }
  if (file.size === 0) return { kind: "input", message: `${file.name} is empty.` };
  const limit = limits.upload_bytes;
  if (limit !== undefined && file.size > limit) {
    return { kind: "limit", message: `${file.name} has ${sizeText(file.size)}; this server accepts files of at most ${sizeText(limit)}. Start it on this machine with the file: plumbline serve FILE.` };
  }
  return null;
}

export function sizeText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  const place = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const size = bytes / 1024 ** place;
  return `${size >= 100 || place === 0 ? Math.round(size) : Number(size.toPrecision(3))} ${units[place]}`;
}
