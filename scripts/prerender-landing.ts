import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer } from "vite";

type Chunk = { file: string; imports?: string[] };
const parts = ["features/public-pages/public-layout.tsx", "features/public-pages/landing/landing.tsx"];

/** Writes landing.html next to index.html: the front page's own markup, with preloads for its parts. */
export async function prerenderLanding(root: string, folder: string): Promise<void> {
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
    const markup = await renderPage("/");
    const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Record<
      string,
      Chunk
    >;
    const links = [...reach(manifest, parts)].map(
      (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
    );
    const page = readFileSync(join(folder, "index.html"), "utf8")
      .replace("</head>", () => `${links.join("")}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${markup}</div>`);
    if (!page.includes(markup)) throw new Error("index.html has no place for the page");
    writeFileSync(join(folder, "landing.html"), page);
  } finally {
    await vite.close();
  }
}

function reach(manifest: Record<string, Chunk>, names: string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the build`);
    if (seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    reach(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}
