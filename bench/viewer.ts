// Opens a pair of 20,000 lines in the viewer's HTML view and, for comparison, in a Monaco diff page: time to the first
// marked line, longest frame while opening and while scrolling. MONACO names a folder in which Monaco is installed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Page } from "@playwright/test";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { launchBrowser } from "./web/launch-browser.ts";

const rounds = Number(process.env.ROUNDS ?? 3);
const monaco = process.env.MONACO;
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "watchglass-bench-"));

/** 20,000 lines, about 2 MB; one in a hundred changed. */
function pair(): { before: string; after: string } {
  const line = (i: number, word: string) =>
    `<li class="item item-${i}" data-key="${(i * 2654435761) % 4294967296}"><a href="/catalogue/${i}">${word} number ${i}</a></li>`;
  const lines = (word: (i: number) => string) => Array.from({ length: 20_000 }, (_, i) => line(i, word(i)));
  const page = (list: string[]) =>
    `<!doctype html>\n<html>\n<body>\n<ul>\n${list.join("\n")}\n</ul>\n</body>\n</html>\n`;
  return {
    before: page(lines(() => "Product")),
    after: page(lines((i) => (i % 100 === 50 ? "Changed product" : "Product"))),
  };
}

const ours = `
import { createRoot } from "react-dom/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { HtmlPane } from "${root}/src/web/features/viewer/html/html-pane.tsx";
import "./main.css";
const source = (name) => ({ key: name, label: name, load: async () => (await fetch("/" + name + ".txt")).text() });
const nothing = () => {};
const none = [];
document.documentElement.style.height = "100%";
globalThis.open = () => createRoot(document.getElementById("root")).render(
  <QueryClientProvider client={new QueryClient()}>
    <div style={{ display: "flex", flexDirection: "column", height: 800 }}>
      <HtmlPane before={source("before")} after={source("after")} formatted={FORMATTED} layout="split" filter={false}
        wrap={false} wanted="" current={0} steps={0} regions={none} wantedRegion={null} onLocated={nothing} onCounted={nothing} />
    </div>
  </QueryClientProvider>);
globalThis.mark = ".bg-added-mark";
globalThis.scroller = () => document.querySelector("[data-scroller]");
globalThis.scrollBy800 = () => { const one = globalThis.scroller(); one.scrollTop += 800; };
`;

const peer = `
import * as monaco from "monaco-editor/esm/vs/editor/editor.main.js";
import EditorWorker from "monaco-editor/esm/vs/editor/editor.worker.js?worker";
globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() };
globalThis.open = async () => {
  const [before, after] = await Promise.all(["before", "after"].map(async (name) => (await fetch("/" + name + ".txt")).text()));
  const host = document.getElementById("root");
  host.style.height = "800px";
  const editor = monaco.editor.createDiffEditor(host, { readOnly: true, automaticLayout: true, maxComputationTime: 0 });
  editor.setModel({ original: monaco.editor.createModel(before, "html"), modified: monaco.editor.createModel(after, "html") });
  editor.onDidUpdateDiff(() => editor.revealLine(editor.getLineChanges()[0].modifiedStartLineNumber));
  globalThis.scrollBy800 = () => { const one = editor.getModifiedEditor(); one.setScrollTop(one.getScrollTop() + 800); };
};
globalThis.mark = ".char-insert, .line-insert";
`;

async function make(name: string, code: string, defines: Record<string, string>): Promise<void> {
  const source = join(folder, name);
  mkdirSync(source);
  writeFileSync(join(source, "main.jsx"), code);
  // Tailwind looks for class names only in the page's own folder unless `@source` names another.
  writeFileSync(
    join(source, "main.css"),
    `@import "${root}/src/web/styles.css";\n@source "${root}/src/web";\n`,
  );
  writeFileSync(
    join(source, "index.html"),
    '<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module" src="./main.jsx"></script>',
  );
  await build({
    configFile: false,
    logLevel: "error",
    root: source,
    base: `/${name}/`,
    plugins: [react(), tailwindcss()],
    define: defines,
    resolve: {
      alias: [
        { find: /^#(.*)/, replacement: `${root}/src/$1` },
        ...(monaco
          ? [{ find: /^monaco-editor\//, replacement: `${monaco}/node_modules/monaco-editor/` }]
          : []),
        { find: /^(react|react-dom|@tanstack\/react-query)(\/|$)/, replacement: `${root}/node_modules/$1$2` },
      ],
    },
    worker: { format: "es" },
    build: { outDir: join(folder, "out", name), emptyOutDir: true, target: "chrome123" },
  });
}

type Measured = { first: number; opening: number; scrolling: number };

async function measure(page: Page, url: string): Promise<Measured> {
  await page.goto(url);
  await page.waitForFunction("typeof globalThis.open === 'function' && document.readyState === 'complete'");
  return page.evaluate<Measured>(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let longest = 0, last = performance.now(), running = true;
    (async () => { while (running) { await frame(); const now = performance.now(); longest = Math.max(longest, now - last); last = now; } })();
    await frame(); longest = 0;
    const start = performance.now();
    globalThis.open();
    while (!document.querySelector(globalThis.mark)) { if (performance.now() - start > 60000) throw new Error("no marked line"); await frame(); }
    const first = performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const opening = longest;
    longest = 0;
    for (let i = 0; i < 120; i++) { globalThis.scrollBy800(); await frame(); }
    running = false;
    return { first, opening, scrolling: longest };
  })()`);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  const { before, after } = pair();
  await make("lines", ours, { FORMATTED: "false" });
  await make("formatted", ours, { FORMATTED: "true" });
  if (monaco) await make("monaco", peer, {});
  const files: Record<string, string> = { "/before.txt": before, "/after.txt": after };
  const types: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/\?.*$/, "");
    const text = files[path];
    const file = join(folder, "out", path.endsWith("/") ? `${path}index.html` : path);
    if (text === undefined && !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain; charset=utf-8" });
    response.end(text ?? readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const browser = await launchBrowser();
  const names = ["lines", "formatted", ...(monaco ? ["monaco"] : [])];
  const results = new Map<string, Measured[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      results.get(name)?.push(await measure(page, `http://127.0.0.1:${port}/${name}/`));
      await page.close();
    }
  }
  await browser.close();
  server.close();
  console.log(
    `pair: ${before.split("\n").length} lines, ${(before.length / 1e6).toFixed(1)} MB; medians of ${rounds}`,
  );
  for (const [name, list] of results) {
    const medianOf = (key: keyof Measured) => Math.round(median(list.map((measured) => measured[key])));
    const label = {
      lines: "viewer, lines as they are",
      formatted: "viewer, one node per line",
      monaco: "Monaco diff",
    }[name];
    console.log(
      `${label?.padEnd(28)} first diff line ${medianOf("first")} ms, longest frame opening ${medianOf("opening")} ms, scrolling ${medianOf("scrolling")} ms`,
    );
  }
  if (!monaco)
    console.log("Monaco was not measured: set MONACO to a folder where `npm i monaco-editor` was run.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
