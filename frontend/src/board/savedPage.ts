// A board as one file that needs nobody: the front end itself, the cards and every answer they asked for.
import { AskError, type Host, type Question, type TableAnswers } from "../host";
import type { TableClient } from "../ask";
import { frozen, thawed } from "../wire";
import type { DataAbout } from "./boardFile";
import type { Pin } from "./state";

export interface SavedPage {
  name: string;
  version: string;
  data: DataAbout;
  positive: string | null; // of two classes
  pins: Pin[];
  answers: TableAnswers; // by the question, as text
}

export type Asked = Map<string, Set<string>>; // card -> the questions that it asked, as text

// A client that notes what is asked through it.
export function noting(client: TableClient, asked: Set<string>): TableClient {
  return Object.create(client, {
    knownAs: {
      value: (key: string) => {
        asked.add(key);
        return client.knownAs(key);
      },
    },
  }) as TableClient;
}

export interface Assets {
  script: string;
  style: string;
}

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

// Nothing in the file may end its script early, neither a text of the reader nor of the program.
const embedded = (text: string): string => text.replace(/<\/(script|style)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

export function pageText(saved: SavedPage, { script, style }: Assets): string {
  const whole = frozen(saved).replace(/</g, "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(saved.name)}</title>
<link rel="icon" href="data:,">
<style>${embedded(style)}</style>
</head>
<body class="plumbline-body">
<div id="workbench" class="plumbline page"></div>
<script type="application/json" id="saved">${whole}</script>
<script type="module">${embedded(script)}</script>
</body>
</html>
`;
}

export const readPage = (text: string): SavedPage => thawed(text) as SavedPage;

const never = (): never => {
  throw new AskError({ kind: "gone", message: "This page shows saved results only." });
};

// The host of such a page: it knows what was saved and nothing else.
export const savedHost = ({ answers }: SavedPage): Host => ({
  notebook: true,
  start: async () => ({ served: null, examples: [], limits: {} }),
  upload: async () => never(),
  columns: async () => never(),
  open: async () => never(),
  example: async () => never(),
  assets: async () => never(),
  ask: async (_: string, question: Question) => {
    const key = JSON.stringify(question);
    if (Object.hasOwn(answers, key)) return answers[key];
    throw new AskError({ kind: "input", message: "This result was not saved in this page." });
  },
  alive: async (table) => ({ news: null, table }),
  close: async () => undefined,
});
