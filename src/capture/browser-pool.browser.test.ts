import { deepEqual } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findChromium } from "./browser/find-chromium.ts";
import { stageFonts } from "./browser/fonts.ts";
import { Browser } from "./browser/launch.ts";
import { end, processTree, threadsOf } from "./browser/process-tree.ts";
import { findProtection, type Protection } from "./browser/protection.ts";
import { selfTest } from "./browser/self-test.ts";
import { openWorkspace } from "./browser/workspace.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8");

let it: TestCapture | undefined;
/** Closes the pool and expects that neither a process nor a folder of it is left. */
async function expectClosed(): Promise<void> {
  await it?.close();
  it = undefined;
  const isGone = async () => deepEqual(await leftovers(), { processes: [], folders: [] });
  await vi.waitFor(isGone, { timeout: 10_000 });
}

/** By what only our browsers have in their command line: an orphan is nobody's child. */
async function leftovers() {
  const mark = `watchglass-capture-${process.pid}-`;
  const commands = await Promise.all(
    (await readdir("/proc")).map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return {
    processes: commands.filter((command) => command.includes(mark)),
    folders: (await readdir(tmpdir())).filter((name) => name.startsWith(mark)),
  };
}

/** What started the browser: our own child. */
function wrapper(): number[] {
  return processTree(process.pid).flatMap(({ pid, parent }) => (parent === process.pid ? [pid] : []));
}

/** The browser itself, which started all its other processes. */
async function chromium(): Promise<number[]> {
  const pids = processTree(process.pid).map(({ pid }) => pid);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  const isBrowser = (command = "") =>
    /chrom/.test(command.split(/[\0 ]/)[0] ?? "") && !command.includes("--type=");
  return pids.filter((_, at) => isBrowser(commands[at]));
}

/** The priority of a process, none where it has ended meanwhile. */
const niceOf = ({ pid }: { pid: number }): number[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return [Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])];
  } catch {
    return [];
  }
};

// Starting a pool costs more than most tests of it: those that leave it working share one.
describe("a pool that goes on", () => {
  let opened: TestCapture;
  let launches = 1;
  beforeAll(async () => {
    opened = await openCapture({ maxRequests: 50, maxMessageBytes: 2 ** 22 });
    it = opened;
  });
  afterAll(expectClosed);

  /** The browser was lost: a capture works all the same, by one browser more. */
  async function expectNextBrowser(): Promise<void> {
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
    launches += 1;
    expect(opened.pool.metrics.launches).toBe(launches);
  }

  test("B5 requests beyond the limit are refused and recorded", async () => {
    const seen = opened.zoo.seen.length;
    const result = await opened.capture("/many-requests");
    const reasons = result.ok && !result.unchanged ? result.snapshot.blocked.map((each) => each.reason) : [];
    expect(new Set(reasons)).toEqual(new Set(["requests"]));
    expect(opened.zoo.seen.length - seen).toBe(50);
  });

  test("R5 the pool outlives its browser and what started it, whichever of the two ends alone", async () => {
    for (const find of [wrapper, chromium]) {
      const pids = await find();
      expect(pids).toHaveLength(1);
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await expectNextBrowser();
    }
  });

  test("R5 a browser that can open no page any more is given up long before its captures are", async () => {
    const zygotes = processTree(process.pid).filter(({ pid }) => commandOf(pid).includes("--type=zygote"));
    expect(zygotes.length).toBeGreaterThan(0);
    for (const { pid } of zygotes) end(pid);
    await expectNextBrowser();
  });

  test("B5 a pipe that fails is given up with its browser, and the next capture gets another", async () => {
    const flood = opened.pool.withOfflineTab((tab) =>
      tab.send("Runtime.evaluate", { expression: '"x".repeat(5_000_000)', returnByValue: true }),
    );
    await expect(flood).rejects.toMatchObject({ kind: "gone" });
    await expectNextBrowser();
    await expect.poll(async () => (await chromium()).length).toBe(1);
  });

  test("B5 a browser stands behind the server with every process, and a page that keeps a processor busy behind others", async () => {
    const [browser = 0] = await chromium();
    expect(Math.min(...processTree(browser).flatMap(niceOf))).toBe(getPriority() + 5);
    // Not every system shares its processors by sessions.
    const path = `/proc/${browser}/autogroup`;
    const group = existsSync(path) ? readFileSync(path, "utf8") : "nice 2";
    expect(group).toMatch(/nice 2$/m);
    // It goes on until the pool is closed; that a page that hangs is ended is another test's.
    const busy = opened.capture("/loop").catch(() => null);
    const renderers = () => processTree(process.pid).filter(({ renderer }) => renderer);
    const threads = () =>
      renderers().flatMap(({ pid }) => threadsOf(pid).flatMap((thread) => niceOf({ pid: thread })));
    await expect
      .poll(() => Math.max(...threads()), { timeout: 25_000 })
      .toBeGreaterThanOrEqual(getPriority() + 8);
    await expectClosed();
    await busy;
  });
});

describe("a pool that soon loses patience", () => {
  let opened: TestCapture;
  beforeAll(async () => {
    opened = await openCapture({ concurrency: 1, idleMs: 300, watchdogMs: 2_500 });
    it = opened;
  });
  afterAll(expectClosed);

  test("a browser that nobody needs is let go, and the next capture starts another", async () => {
    await expect.poll(chromium, { timeout: 20_000 }).toEqual([]);
    const { launches } = opened.pool.metrics;
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
    expect(opened.pool.metrics.launches).toBe(launches + 1);
  });

  test("B5 a capture that hangs is ended with its browser, and the next one is fine", async () => {
    expect(await opened.capture("/loop")).toMatchObject({ ok: false });
    expect(opened.pool.metrics.kills).toBeGreaterThan(0);
    expect(opened.logs).toContain("a page hangs; its browser is ended");
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
  });
});

describe("a pool of its own", () => {
  afterEach(expectClosed);

  test("R5 captures go on while the browser is killed under them, and nothing is left", async () => {
    it = await openCapture({ concurrency: 3, recycleAfter: 3 });
    const opened = it;
    let kills = 0;
    const results = await Promise.all(
      Array.from({ length: 9 }, async (_, index) => {
        const result = await opened.capture("/calm");
        if (index % 4 === 2) {
          kills += 1;
          for (const pid of wrapper()) process.kill(pid, "SIGKILL");
        }
        return result;
      }),
    );
    expect(kills).toBe(2);
    const failures = results.flatMap((result) => (result.ok ? [] : [result.failure.kind]));
    // A capture is tried twice; only one that is hit both times fails, and says why: at most all that ran at once.
    expect(new Set(failures).difference(new Set(["crashed"]))).toEqual(new Set());
    expect(failures.length).toBeLessThanOrEqual(3);
    expect(opened.pool.metrics).toMatchObject({ active: 0, waiting: 0, capacity: 3 });
    expect(opened.pool.metrics.launches).toBeGreaterThan(2);
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
  });

  test("R5 a browser does not outlive the script that started it, even without namespaces", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wrapped-"));
    const { path } = await findChromium({ chromiumPath: undefined, cacheDir: "data/browser" });
    const script = join(folder, "chromium");
    await writeFile(script, `#!/bin/sh -e\n${path} "$@"\n`, { mode: 0o755 });
    await chmod(folder, 0o755);
    const protection = { ...findProtection(), namespaces: false };
    await withBrowser(
      protection,
      async (browser) => {
        expect((await chromium()).length).toBeGreaterThan(0);
        process.kill(browser.pid, "SIGKILL");
        await browser.exited;
        await expect.poll(async () => (await leftovers()).processes, { timeout: 20_000 }).toEqual([]);
      },
      script,
    );
    await rm(folder, { recursive: true });
  });

  test("R5 a start waits for ever for no page that was ended during the self-test", async () => {
    const pages = () => processTree(process.pid).filter(({ renderer }) => renderer);
    // It attacks for more than a second, but when it begins to is the machine's affair.
    for (const afterMs of [400, 800, 1_200, 1_600]) {
      await it?.close();
      const opening = openCapture({ selfTestMs: 8_000 });
      await expect.poll(() => pages().length, { timeout: 20_000 }).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      for (const { pid } of pages()) end(pid);
      it = await opening;
      if (it.pool.metrics.kills > 0) break;
    }
    expect(it?.pool.metrics).toMatchObject({ launches: 2, kills: 1 });
    expect(await it?.capture("/calm")).toMatchObject({ ok: true });
  });
});

test("B2 the flags alone hold every way out, and the self-test notices a proxy that leaves loopback out", async () => {
  await withBrowser({ ...findProtection(), namespaces: false }, async (browser) => {
    expect(await selfTest(browser)).toBeGreaterThan(20);
    await expect(selfTest(browser, "<-loopback>;127.0.0.1")).rejects.toThrow(/not contained: a page reached/);
  });
});

test.runIf(findProtection().namespaces)("B1 a namespace holds even that browser", async () => {
  const attempts = withBrowser(findProtection(), (browser) => selfTest(browser, "<-loopback>;127.0.0.1"));
  expect(await attempts).toBeGreaterThan(10);
});

async function withBrowser<T>(
  protection: Protection,
  use: (browser: Browser) => Promise<T>,
  chromiumPath?: string,
): Promise<T> {
  const workspace = await openWorkspace(protection.uid);
  const chromium = await findChromium({ chromiumPath, cacheDir: "data/browser" });
  const { folder } = workspace;
  const fontsConf = await stageFonts(folder);
  const options = { chromium, protection, folder, fontsConf, ports: 1, sandbox: true, version: "150" };
  const browser = await Browser.launch(options);
  try {
    return await use(browser);
  } finally {
    await browser.kill();
    await workspace.close();
  }
}
