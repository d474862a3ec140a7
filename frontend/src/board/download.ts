// Files made in the browser's memory and handed to the reader: works in pages and notebooks.
export interface FileAnswer {
  filename: string;
  mime: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export function download({ filename, mime, bytes }: FileAnswer): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: mime }));
  const link = document.createElement("a");
  link.href = address;
  link.download = filename;
  document.body.append(link); // Firefox follows only links that are in the document
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .replace(/-+$/, "") || "board";
