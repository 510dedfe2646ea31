import { deepEqual } from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findChromium } from "./browser/find-chromium.ts";
import { stageFonts } from "./browser/fonts.ts";
import { Browser } from "./browser/launch.ts";
import { end, processTree, threadsOf } from "./browser/memory-limits/process-tree.ts";
import { findProtection, type Protection } from "./browser/sandbox/protection.ts";
import { selfTest } from "./browser/sandbox/self-test.ts";
import { openWorkspace } from "./browser/workspace.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

/** The command line of a process; empty if it has ended, as the processes of a killed browser do. */
const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

let testCapture: TestCapture | undefined;
/** Closes the pool and expects that none of its processes and folders is left. */
async function expectClosed(): Promise<void> {
  await testCapture?.close();
  testCapture = undefined;
  const isGone = async () => deepEqual(await leftovers(), { processes: [], folders: [] });
  await vi.waitFor(isGone, { timeout: 120_000 });
}

/** Found by a marker in the command lines of our browsers, because an orphaned process has no parent of ours. */
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

/** The process that started the browser: our own child. */
function wrapper(): number[] {
  return processTree(process.pid).flatMap(({ pid, parent }) => (parent === process.pid ? [pid] : []));
}

/** The browser's main process, which started all the others. */
async function chromium(): Promise<number[]> {
  const pids = processTree(process.pid).map(({ pid }) => pid);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  const isBrowser = (command = "") =>
    /chrom/.test(command.split(/[\0 ]/)[0] ?? "") && !command.includes("--type=");
  return pids.filter((_, at) => isBrowser(commands[at]));
}

/** The priority of a process; empty if it has ended. */
const niceOf = ({ pid }: { pid: number }): number[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return [Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])];
  } catch {
    return [];
  }
};

// Starting a pool takes longer than most of its tests, so those that leave it working share one.
describe("a shared pool", () => {
  let opened: TestCapture;
  let launches = 1;
  beforeAll(async () => {
    opened = await openCapture({ maxRequests: 50, maxMessageBytes: 2 ** 22 });
    testCapture = opened;
  });
  afterAll(expectClosed);

  /** Expects that a capture works after the browser was lost, and that it starts one new browser. */
  async function expectNextBrowser(): Promise<void> {
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
    launches += 1;
    expect(opened.pool.metrics.launches).toBe(launches);
  }

  test("B5 requests beyond the limit are refused and recorded", async () => {
    const requestsBefore = opened.zoo.seen.length;
    const result = await opened.capture("/many-requests");
    const reasons = result.ok && !result.unchanged ? result.snapshot.blocked.map((each) => each.reason) : [];
    expect(new Set(reasons)).toEqual(new Set(["requests"]));
    expect(opened.zoo.seen.length - requestsBefore).toBe(50);
  });

  test("R5 the pool survives the end of its browser, and of the process that started the browser", async () => {
    for (const find of [wrapper, chromium]) {
      const pids = await find();
      expect(pids).toHaveLength(1);
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await expectNextBrowser();
    }
  });

  test("R5 a browser that can no longer open pages is replaced long before its captures time out", async () => {
    const zygotes = processTree(process.pid).filter(({ pid }) => commandOf(pid).includes("--type=zygote"));
    expect(zygotes.length).toBeGreaterThan(0);
    for (const { pid } of zygotes) end(pid);
    await expectNextBrowser();
  });

  test("B5 a browser whose pipe fails is ended, and the next capture gets another", async () => {
    const flood = opened.pool.withOfflineTab((tab) =>
      tab.send("Runtime.evaluate", { expression: '"x".repeat(5_000_000)', returnByValue: true }),
    );
    await expect(flood).rejects.toMatchObject({ kind: "gone" });
    await expectNextBrowser();
    await expect.poll(async () => (await chromium()).length).toBe(1);
  });

  test("B5 a browser has lower priority than the server, and a page that keeps a processor busy the lowest", async () => {
    const [browser = 0] = await chromium();
    expect(Math.min(...processTree(browser).flatMap(niceOf))).toBe(getPriority() + 5);
    // Not every system schedules processes by session.
    const path = `/proc/${browser}/autogroup`;
    const group = existsSync(path) ? readFileSync(path, "utf8") : "nice 2";
    expect(group).toMatch(/nice 2$/m);
    // The page loops until the pool is closed; another test covers that a hanging page is stopped.
    const busy = opened.capture("/loop").catch(() => null);
    const renderers = () => processTree(process.pid).filter(({ renderer }) => renderer);
    const threads = () =>
      renderers().flatMap(({ pid }) => threadsOf(pid).flatMap((thread) => niceOf({ pid: thread })));
    await expect.poll(() => Math.max(...threads())).toBeGreaterThanOrEqual(getPriority() + 8);
    await expectClosed();
    await busy;
  });
});

describe("a pool with short timeouts", () => {
  let opened: TestCapture;
  beforeAll(async () => {
    opened = await openCapture({ concurrency: 1, idleMs: 300, watchdogMs: 2_500 });
    testCapture = opened;
  });
  afterAll(expectClosed);

  test("an idle browser is closed, and the next capture starts another", async () => {
    await expect.poll(chromium).toEqual([]);
    const { launches } = opened.pool.metrics;
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
    expect(opened.pool.metrics.launches).toBe(launches + 1);
  });

  test("B5 a hanging capture is ended with its browser, and the next one succeeds", async () => {
    expect(await opened.capture("/loop")).toMatchObject({ ok: false });
    expect(opened.pool.metrics.kills).toBeGreaterThan(0);
    expect(opened.logs).toContain("a page hangs; its browser is ended");
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
  });
});

describe("a pool per test", () => {
  afterEach(expectClosed);

  test("R5 captures continue although their browser is killed, and nothing is left over", async () => {
    testCapture = await openCapture({ concurrency: 3, recycleAfter: 3 });
    const opened = testCapture;
    let kills = 0;
    const results = await Promise.all(
      Array.from({ length: 7 }, async (_, index) => {
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
    // A capture is tried twice; only one whose browser is killed both times fails, as crashed. That is at most all that
    // ran at once.
    expect(new Set(failures).difference(new Set(["crashed"]))).toEqual(new Set());
    expect(failures.length).toBeLessThanOrEqual(3);
    expect(opened.pool.metrics).toMatchObject({ active: 0, waiting: 0, capacity: 3 });
    expect(await opened.capture("/calm")).toMatchObject({ ok: true });
    expect(opened.pool.metrics.launches).toBeGreaterThan(2);
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
        await expect.poll(async () => (await leftovers()).processes).toEqual([]);
      },
      script,
    );
    await rm(folder, { recursive: true });
  });

  test("R5 opening a pool doesn't hang if a page is killed during the self-test", async () => {
    // The test's page attacks for more than a second; its first requests show that it has begun.
    let connections = 0;
    const count = () => void connections++;
    subscribe("net.server.socket", count);
    const opening = openCapture();
    await expect.poll(() => connections, { interval: 20 }).toBeGreaterThan(2);
    unsubscribe("net.server.socket", count);
    const pages = processTree(process.pid).filter(({ renderer }) => renderer);
    expect(pages).not.toEqual([]);
    for (const { pid } of pages) end(pid);
    testCapture = await opening;
    expect(testCapture.logs).toContain("the browser's self-test broke off; it runs again");
    expect(testCapture?.pool.metrics).toMatchObject({ launches: 1, kills: 0 });
    expect(await testCapture?.capture("/calm")).toMatchObject({ ok: true });
  });
});

test("B2 the flags alone block every way out, and the self-test notices a proxy that bypasses loopback", async () => {
  await withBrowser({ ...findProtection(), namespaces: false }, async (browser) => {
    expect(await selfTest(browser)).toBeGreaterThan(20);
    await expect(selfTest(browser, "<-loopback>;127.0.0.1")).rejects.toThrow(/not contained: a page reached/);
  });
});

test.runIf(findProtection().namespaces)(
  "B1 namespaces contain even a browser whose proxy bypasses loopback",
  async () => {
    const attempts = withBrowser(findProtection(), (browser) => selfTest(browser, "<-loopback>;127.0.0.1"));
    expect(await attempts).toBeGreaterThan(10);
  },
);

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
