// Captures a second against the raw DevTools loop, Playwright, undici and urlwatch; ratios within one run.
//   npm run bench:capture [-- browser|http|memory ...]
import { chromium as playwright } from "@playwright/test";
import { Agent, request as undiciRequest } from "undici";
import { BrowserPool } from "#capture/browser-pool.ts";
import { capture } from "#capture/capture-page.ts";
import { parseEgressAllow } from "#network/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { treePss } from "./capture/memory.ts";
import { interleaved, median, rate, ratio } from "./capture/ratios.ts";
import { RawBrowser } from "./capture/raw-loop.ts";
import { startSite } from "./capture/site.ts";
import { urlwatchRate } from "./capture/urlwatch.ts";

const width = 3;
const wanted = new Set(process.argv.slice(2));
const wants = (part: string) => wanted.size === 0 || wanted.has(part);

const quiet = { debug() {}, info() {}, warn: (_data: object, message: string) => console.log(message) };
const guard = createGuard({ allow: parseEgressAllow("127.0.0.0/8") });
const gateway = startGateway({ guard });
const http = createGuardedFetch(guard);
const site = await startSite();
const pool = await BrowserPool.open({
  gateway,
  logger: quiet,
  chromiumPath: process.env.CHROMIUM_PATH,
  concurrency: width,
  cacheDir: "data/browser",
});
const deps = { pool, http };

function show(what: string, value: number, goal?: string): void {
  console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(9)}${goal ? `   (goal ${goal})` : ""}`);
}

async function ours(path: string): Promise<void> {
  const result = await capture(deps, { url: site.origin + path });
  if (!result.ok) throw new Error(result.failure.message);
}

async function browserPart(): Promise<void> {
  const raw = await RawBrowser.launch(pool.chromiumPath);
  const peer = await playwright.launch({ executablePath: pool.chromiumPath, chromiumSandbox: false });
  const byRaw = async (path: string) => {
    const limits = { maxBytes: 2 ** 26, maxRequests: 1_000, deadlineMs: 60_000 };
    const lane = await gateway.openLane({ ...limits, listen: { port: 0 } });
    await raw.capture(site.origin + path, "port" in lane.address ? lane.address.port : 0);
    await lane.close();
  };
  const byPlaywright = async (path: string) => {
    const context = await peer.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(site.origin + path);
    await page.screenshot({ fullPage: true });
    await page.content();
    await context.close();
  };
  for (const [page, count, rounds, goal] of [
    ...(wanted.has("heavy") ? [] : [["small", 40, 5, "1.2"] as const]),
    ["heavy", 9, Number(process.env.ROUNDS ?? 5), "1.5"],
  ] as const) {
    for (const run of [ours, byRaw, byPlaywright]) await run(`/${page}`);
    const rates = await interleaved(rounds, {
      ours: () => rate(count, width, () => ours(`/${page}`)),
      raw: () => rate(count, width, () => byRaw(`/${page}`)),
      playwright: () => rate(count, width, () => byPlaywright(`/${page}`)),
    });
    for (const [name, values] of Object.entries(rates)) show(`${page}: ${name}, captures/s`, median(values));
    show(`${page}: ours / raw DevTools loop`, ratio(rates.ours, rates.raw), "at least 0.85");
    show(`${page}: ours / Playwright`, ratio(rates.ours, rates.playwright), `at least ${goal}`);
  }
  await Promise.all([raw.close(), peer.close()]);
}

async function httpPart(): Promise<void> {
  const count = 1_000;
  const urls = Array.from({ length: count }, (_, index) => `${site.origin}/body/${index}`);
  const first = await capture(deps, { url: urls[0] ?? "" });
  if (!first.ok) throw new Error(first.failure.message);
  const agent = new Agent({ connections: 100 });
  const evidences = await Promise.all(
    urls.map(async (url) => {
      const result = await capture(deps, { url });
      return result.ok ? result.evidence : null;
    }),
  );
  const byCapture = async (index: number) => {
    const result = await capture(deps, {
      url: urls[index % count] ?? "",
      previous: evidences[index % count] ?? null,
    });
    if (!result.ok || !result.unchanged) throw new Error("expected an unchanged body");
  };
  const byUndici = async (index: number) => {
    const { body } = await undiciRequest(urls[index % count] ?? "", { dispatcher: agent });
    await body.arrayBuffer();
  };
  await rate(count, 100, byUndici);
  await rate(count, 100, byCapture);
  const rates = await interleaved(5, {
    ours: () => rate(4 * count, 100, byCapture),
    undici: () => rate(4 * count, 100, byUndici),
  });
  for (const [name, values] of Object.entries(rates)) show(`http: ${name}, checks/s`, median(values));
  show("http: ours / bare undici", ratio(rates.ours, rates.undici), "at least 0.5");
  await agent.close();
  const urlwatch = await urlwatchRate(urls);
  if (urlwatch === null) console.log("http: urlwatch is not installed (apt-get install urlwatch); skipped");
  else {
    show("http: urlwatch, checks/s", urlwatch);
    show("http: ours / urlwatch", (await rate(4 * count, 100, byCapture)) / urlwatch, "at least 10");
  }
}

async function memoryPart(): Promise<void> {
  await rate(50, width, () => ours("/small"));
  const early = await treePss(process.pid);
  await rate(450, width, () => ours("/small"));
  const late = await treePss(process.pid);
  show("memory: MB after 50 captures", early.browser / 2 ** 20);
  show("memory: MB after 500 captures", late.browser / 2 ** 20);
  show("memory: growth of the browser, %", (late.browser / early.browser - 1) * 100, "under 10");
  show("memory: growth of our process, MB", (late.own - early.own) / 2 ** 20);
}

if (wants("browser")) await browserPart();
if (wants("http")) await httpPart();
if (wants("memory")) await memoryPart();
await pool.close();
await http.close();
await gateway.close();
await site.close();
