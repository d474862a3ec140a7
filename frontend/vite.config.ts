import { type Plugin, transformWithEsbuild } from "vite";
import { defineConfig } from "vitest/config";

const NARROW = /@media\s*\(max-width:([^)]*)\)\s*\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g;

// In a notebook the widget is narrow where the window is not, so what holds for narrow windows holds
// for narrow containers too; only the widget is one.
const narrowWidgets: Plugin = {
  name: "narrow-widgets",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
        file.source = String(file.source).replace(NARROW, "$&@container plumbline (max-width:$1){$2}");
      }
    },
  },
};

// Vite keeps the white space of a library, for those who bundle it again; nobody bundles this one.
const noWhiteSpace: Plugin = {
  name: "no-white-space",
  enforce: "post",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "chunk") continue;
        const options = { minifyWhitespace: true, sourcemap: false, legalComments: "none", target: "es2022" } as const;
        file.code = (await transformWithEsbuild(file.code, file.fileName, options)).code;
      }
    },
  },
};

// One ES module and one style sheet, without hashes in their names: the server and the notebook
// name them, and the same source gives the same bytes.
export default defineConfig({
  plugins: [narrowWidgets, noWhiteSpace],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  test: { setupFiles: ["tests/setup.mjs"] },
  build: {
    outDir: "../src/plumbline/workbench/static",
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    lib: { entry: "src/main.tsx", formats: ["es"], fileName: () => "workbench.js", cssFileName: "workbench" },
  },
});
