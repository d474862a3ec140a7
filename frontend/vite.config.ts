import { defineConfig } from "vite";

// One ES module and one style sheet, without hashes in their names: the server and the notebook
// name them, and the same source gives the same bytes.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: {
    outDir: "../src/plumbline/workbench/static",
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    lib: { entry: "src/main.tsx", formats: ["es"], fileName: () => "workbench.js", cssFileName: "workbench" },
  },
});
