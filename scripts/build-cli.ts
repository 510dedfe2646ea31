// Builds the command line as one folder of plain JavaScript, for installations in which Node runs no TypeScript.
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
await build({
  configFile: false,
  root,
  logLevel: "warn",
  ssr: { noExternal: true },
  build: {
    ssr: "src/cli/main.ts",
    outDir: "dist/cli",
    emptyOutDir: true,
    target: "node20",
    rollupOptions: { output: { entryFileNames: "main.js" } },
  },
});
