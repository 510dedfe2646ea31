// Captures per second compared with a raw DevTools loop, Playwright, undici and urlwatch; ratios within one run.
//   npm run bench:capture [-- browser|small|heavy|http|memory|kills ...]
import { chromium as playwright } from "@playwright/test";
import { Agent, request as undiciRequest } from "undici";
import { capture, requestHash } from "#capture/capture-page.ts";
import { cpuSeconds } from "./capture/cpu.ts";
import { killOne, orphans, temporaryFolders } from "./capture/kills.ts";
import { treePss } from "./capture/memory.ts";
import { openCapturer } from "./capture/open-capturer.ts";
import { interleaved, median, rate, ratio } from "./capture/ratios.ts";
import { RawBrowser } from "./capture/raw-loop.ts";
import { show } from "./capture/show.ts";
import { startSite } from "./capture/site.ts";
import { openUrlwatch } from "./capture/urlwatch.ts";

const width = 3;
const wanted = new Set(process.argv.slice(2));
const wants = (part: string) => wanted.size === 0 || wanted.has(part);

const site = await startSite();
const capturer = await openCapturer(width);
const { gateway, deps } = capturer;
const { pool } = deps;

async function ours(path: string): Promise<void> {
  const result = await capture(deps, { url: site.origin + path });
  if (!result.ok) throw new Error(result.failure.message);
}

async function browserPart(): Promise<void> {
  const raw = await RawBrowser.launch(pool.chromiumPath);
  const launchPeer = () => playwright.launch({ executablePath: pool.chromiumPath, chromiumSandbox: false });
  let peer = launchPeer();
  const byRaw = async (path: string) => {
    const tunnel = await gateway.openTunnel({ maxBytes: 2 ** 26, maxRequests: 1_000, deadlineMs: 60_000 });
    await raw.capture(site.origin + path, tunnel.port);
    await tunnel.close();
  };
  const byPlaywright = async (path: string) => {
    // Playwright's browser sometimes crashes on heavy pages; a restart isn't counted against it.
    const current = peer;
    if (!(await current).isConnected() && peer === current) peer = launchPeer();
    const context = await (await peer).newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(site.origin + path);
    await page.screenshot({ fullPage: true });
    await page.content();
    await context.close();
  };
  const variants = {
    ours: { run: ours, mark: `watchglass-capture-${process.pid}-` },
    raw: { run: byRaw, mark: "raw-loop-" },
    playwright: { run: byPlaywright, mark: "playwright_chromiumdev_profile" },
  };
  for (const [page, count, goal] of [
    ["small", 30, "1.2"],
    ["heavy", 6, "1.5"],
  ] as const) {
    if (!wants(page) && !wanted.has("browser")) continue;
    const cpu: Record<string, number[]> = {};
    for (const { run } of Object.values(variants)) await run(`/${page}`);
    const timed = Object.entries(variants).map(([name, { run, mark }]) => {
      const measure = async () => {
        const cpuBefore = await cpuSeconds(mark);
        const capturesPerSecond = await rate(count, width, () =>
          run(`/${page}`).catch(() => run(`/${page}`)),
        );
        (cpu[name] ??= []).push(((await cpuSeconds(mark)) - cpuBefore) / count);
        return capturesPerSecond;
      };
      return [name, measure] as const;
    });
    const rates = await interleaved(Number(process.env.ROUNDS ?? 5), Object.fromEntries(timed));
    for (const [name, values] of Object.entries(rates)) {
      show(`${page}: ${name}, captures/s`, median(values));
      show(`${page}: ${name}, CPU ms per capture`, median(cpu[name] ?? []) * 1_000);
    }
    show(`${page}: ours / raw DevTools loop`, ratio(rates.ours, rates.raw), "at least 0.85");
    show(`${page}: ours / raw DevTools loop, by CPU`, ratio(cpu.raw, cpu.ours), "at least 0.85");
    show(`${page}: ours / Playwright`, ratio(rates.ours, rates.playwright), `at least ${goal}`);
    show(`${page}: ours / Playwright, by CPU`, ratio(cpu.playwright, cpu.ours), `at least ${goal}`);
  }
  await Promise.all([raw.close(), (await peer).close()]);
}

async function httpPart(): Promise<void> {
  const count = 1_000;
  const urls = Array.from({ length: count }, (_, index) => `${site.origin}/body/${index}`);
  const first = await capture(deps, { url: urls[0] ?? "" });
  if (!first.ok) throw new Error(first.failure.message);
  const agent = new Agent({ connections: 100 });
  // One browser capture stands in for all URLs: the bodies are the same, and each capture would cost a screenshot.
  const evidences = await Promise.all(
    urls.map(async (url) => ({
      ...first.evidence,
      requestSha256: await requestHash({ url }),
      finalUrl: url,
    })),
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
  const urlwatch = await openUrlwatch(urls);
  if (urlwatch === null) console.log("http: urlwatch is not installed (apt-get install urlwatch); skipped");
  const rates = await interleaved(5, {
    ours: () => rate(5 * count, 100, byCapture),
    undici: () => rate(5 * count, 100, byUndici),
    ...(urlwatch ? { urlwatch: () => urlwatch.recheck() } : {}),
  });
  for (const [name, values] of Object.entries(rates)) show(`http: ${name}, checks/s`, median(values));
  show("http: ours / bare undici", ratio(rates.ours, rates.undici), "at least 0.5");
  await agent.close();
  if (urlwatch) show("http: ours / urlwatch", ratio(rates.ours, rates.urlwatch), "at least 10");
  await urlwatch?.close();
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

/** Captures with a kill at every tenth; leftovers are counted after the pool has closed. */
async function killsPart(): Promise<void> {
  const outcomes: Record<string, number> = {};
  const killed: Record<string, number> = {};
  const count = (counts: Record<string, number>, name: string) => (counts[name] = (counts[name] ?? 0) + 1);
  const captures = Number(process.env.CAPTURES ?? 1_000);
  await rate(captures, width, async (index) => {
    const capturing = capture(deps, { url: `${site.origin}/small` });
    if (index % 10 === 3) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      let victim = await killOne(Math.floor(index / 10));
      // Between two browsers there is no process to kill.
      while (victim === "none") victim = await killOne(Math.floor(Math.random() * 4));
      count(killed, victim);
    }
    const result = await capturing;
    count(outcomes, result.ok ? "captured" : result.failure.kind);
  });
  console.log(`kills: of ${captures} captures`, outcomes, "killed", killed);
  show("kills: browsers launched", pool.metrics.launches);
}

if (wants("browser") || wants("small") || wants("heavy")) await browserPart();
if (wants("http")) await httpPart();
if (wants("memory")) await memoryPart();
if (wants("kills")) await killsPart();
await capturer[Symbol.asyncDispose]();
const leftovers = (await orphans()) + (await temporaryFolders()).length;
show("processes and temporary folders left", leftovers, "0");
await site.close();
