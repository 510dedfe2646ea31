import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { drawnPages } from "#contract/routes.ts";
import { launchBrowser } from "./launch-browser.ts";

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".html": "text/html",
};

/** Serves the built pages as the product does: compressed, the front page with its markup, the others without. */
function serve(folder: string) {
  return createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (path === "/api/site") {
      response.setHeader("content-type", "application/json");
      return response.end('{"jurisdiction":"","supportEmail":"","demo":false,"mailbox":false,"about":{}}');
    }
    const file = join(folder, drawnPages[path] ?? (extname(path) ? path : "index.html"));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    if (!existsSync(`${file}.br`)) return createReadStream(file).pipe(response);
    response.setHeader("content-encoding", "br");
    return response.end(readFileSync(`${file}.br`));
  });
}

export type Paint = { firstMs: number; largestMs: number; shift: number; blockedMs: number };

const metricsScript = `new Promise((done) => {
  const found = { firstMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, largestMs: 0, shift: 0, blockedMs: 0 };
  const watch = (type, add) => new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => { found.largestMs = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) found.shift += entry.value; });
  watch("longtask", (entry) => { found.blockedMs += Math.max(0, entry.duration - 50); });
  setTimeout(() => done(found), 500);
})`;

/** Serves the built pages and launches a browser. */
export async function openPages(folder: string, args: string[] = []) {
  const server = serve(folder);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await launchBrowser(args);
  return {
    url: `http://127.0.0.1:${port}/`,
    browser,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** Loads the front page as on a phone with a slow connection: 1.6 Mbit/s, 150 ms round trip, a quarter of this CPU. */
export async function measurePaint(folder: string, rounds: number): Promise<Paint> {
  const { url, browser, close } = await openPages(folder);
  const paints: Paint[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({
      viewport: { width: 412, height: 823 },
      deviceScaleFactor: 1.75,
    });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 150,
      downloadThroughput: (1.6e6 / 8) * 0.9,
      uploadThroughput: (750e3 / 8) * 0.9,
    });
    await page.goto(url, { waitUntil: "networkidle" });
    paints.push(await page.evaluate<Paint>(metricsScript));
    await context.close();
  }
  await close();
  const median = (key: keyof Paint) =>
    paints.map((paint) => paint[key]).toSorted((a, b) => a - b)[Math.floor(paints.length / 2)] ?? 0;
  return {
    firstMs: median("firstMs"),
    largestMs: median("largestMs"),
    shift: median("shift"),
    blockedMs: median("blockedMs"),
  };
}
