import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { preparePages } from "./scripts/prepare-pages.ts";

export default defineConfig({
  root: "src/web",
  plugins: [react(), tailwindcss(), finish()],
  build: {
    outDir: "../../dist/web",
    emptyOutDir: true,
    manifest: true,
    reportCompressedSize: false,
    // Browsers that know light-dark(), so that each colour token stays one declaration.
    target: ["chrome123", "edge123", "firefox125", "safari17.5"],
    // Every asset is its own file: the CSP allows no data: font.
    assetsInlineLimit: 0,
  },
  // The pages' own folder src/web/api is served as modules; every other path under /api is a call.
  server: {
    proxy: {
      "^/api/(?!.*\\.ts(\\?|$))": { target: `http://127.0.0.1:${process.env.PORT ?? 3000}`, ws: true },
    },
  },
});

/** Prepares the pages that visitors see first, then writes .br and .gz beside each text file: the server never compresses the same bytes twice. */
function finish(): Plugin {
  let folder = "";
  let root = "";
  return {
    name: "finish",
    apply: "build",
    configResolved(config) {
      root = config.root;
      folder = resolve(root, config.build.outDir);
    },
    async closeBundle() {
      await preparePages(root, folder);
      for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        if (!entry.isFile() || !/\.(js|css|svg|html)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
