import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer } from "vite";
import { drawnPages } from "../src/contract/routes.ts";

type Manifest = Record<string, { file: string; imports?: string[] }>;
/** The parts of the app that draw each page. */
export const partsOf: Partial<Record<string, string[]>> = {
  "/": ["features/public-pages/public-layout.tsx", "features/public-pages/landing/landing.tsx"],
  "/login": ["features/auth/login.tsx"],
};

/**
 * Puts the style sheet into index.html, and writes the pages next to it that come with their own markup. They load the
 * app when they are drawn, because they can be read without it.
 */
export async function preparePages(root: string, folder: string): Promise<void> {
  const shell = inlineStyles(folder, readFileSync(join(folder, "index.html"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  writeFileSync(join(folder, "index.html"), shell);
  const markups = await drawPages(root, Object.keys(drawnPages));
  for (const [path, file = ""] of Object.entries(drawnPages)) {
    const files = reach(manifest, ["index.html", ...(partsOf[path] ?? [])]);
    const loader = `<script src="/load-app.js" data-files="${[...files].map((each) => `/${each}`).join(" ")}" defer></script>`;
    const root = `<div id="root">${markups.get(path)}</div>`;
    const page = shell
      .replaceAll(/<link rel="modulepreload"[^>]*>/g, "")
      .replace(/<script type="module"[^>]*><\/script>/, () => loader)
      .replace('<div id="root"></div>', () => root);
    if (!page.includes(loader) || !page.includes(root))
      throw new Error(`index.html has no place for ${path}`);
    writeFileSync(join(folder, file), page);
  }
}

/** Puts the style sheet into a page, which then waits for one file less before it is drawn. */
const inlineStyles = (folder: string, page: string) =>
  page.replace(
    /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
    (_, file: string) => `<style>${readFileSync(join(folder, file), "utf8")}</style>`,
  );

async function drawPages(root: string, paths: string[]): Promise<Map<string, string>> {
  const vite = await createServer({
    root,
    configFile: false,
    mode: "production",
    appType: "custom",
    logLevel: "warn",
    plugins: [react()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    const { renderPage } = (await vite.ssrLoadModule("/prerender.tsx")) as {
      renderPage: (path: string) => Promise<string>;
    };
    const markups = new Map<string, string>();
    for (const path of paths) markups.set(path, await renderPage(path));
    return markups;
  } finally {
    await vite.close();
  }
}

function reach(manifest: Manifest, names: string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the build`);
    if (seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    reach(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}
