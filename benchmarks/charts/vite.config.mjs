// Built with the tools of the front end, whose own charts are one of the four that are tried.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  root: here("."),
  base: "./",
  resolve: { alias: { preact: here("../../frontend/node_modules/preact"), "@workbench": here("../../frontend/src") } },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: { outDir: "dist", target: "es2022", modulePreload: false, chunkSizeWarningLimit: 2000 },
};
