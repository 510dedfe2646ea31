import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer } from "vite";

type Manifest = Record<string, { file: string; imports?: string[] }>;
const frontPageParts = [
  "features/public-pages/public-layout.tsx",
  "features/public-pages/landing/landing.tsx",
];

/**
 * Puts the style sheet into index.html, and writes landing.html next to it: the front page with its own markup. It loads
 * its parts after its font, because it can be read without them.
 */
export async function preparePages(root: string, folder: string): Promise<void> {
  const shell = inlineStyles(folder, readFileSync(join(folder, "index.html"), "utf8"));
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
  writeFileSync(join(folder, "index.html"), shell);
  const markup = await drawFrontPage(root);
  const page = preload(shell, manifest, frontPageParts)
    .replaceAll('<link rel="modulepreload"', '$& fetchpriority="low"')
    .replace('<script type="module"', '$& fetchpriority="low"')
    .replace('<div id="root"></div>', () => `<div id="root">${markup}</div>`);
  if (!page.includes(markup)) throw new Error("index.html has no place for the page");
  writeFileSync(join(folder, "landing.html"), page);
}

/** Puts the style sheet into a page, which then waits for one file less before it is drawn. */
const inlineStyles = (folder: string, page: string) =>
  page.replace(
    /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
    (_, file: string) => `<style>${readFileSync(join(folder, file), "utf8")}</style>`,
  );

function preload(page: string, manifest: Manifest, parts: string[]): string {
  const links = [...reach(manifest, parts)].map(
    (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  return page.replace("</head>", () => `${links.join("")}</head>`);
}

async function drawFrontPage(root: string): Promise<string> {
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
    return await renderPage("/");
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
