import { deepEqual } from "node:assert/strict";
import { readdir, readFile, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { processTree } from "./browser/process-tree.ts";
import { findProtection } from "./browser/protection.ts";
import { capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const limits = { html: 3 * 1024 * 1024, loadMs: 4_000, quietMs: 2_000, imagesMs: 1_000 };
let it: TestCapture;
beforeAll(async () => {
  it = await openCapture({ concurrency: 4, maxPageBytes: 400 * 1024 * 1024 }, limits);
});
afterAll(() => it.close());

async function see(path: string, wait: Partial<typeof limits> = {}) {
  const deps = { ...it.deps, limits: { ...limits, ...wait } };
  const result = await capture(deps, { url: it.zoo.origin + path });
  if (!result.ok) throw new Error(`${path}: ${result.failure.message}`);
  if (result.unchanged) throw new Error(`${path}: unchanged`);
  return result.snapshot;
}

const words = (seen: { text: { text: string }[] }) => seen.text.map((block) => block.text);

describe("hostile pages", () => {
  // Whatever the page did: the canary is untouched, and the next capture is as if nothing had been.
  afterEach(async () => {
    deepEqual(it.zoo.canary.hits, []);
    const next = await see("/calm");
    deepEqual([words(next).includes("Calm page"), next.blocked, next.thirdPartyHosts], [true, [], []]);
  });

  test("B1 B2 every way to call out ends at the gateway", async () => {
    const seen = await see("/call-out");
    // "dns" is what a name that leads inside looks like (E11).
    expect(new Set(seen.blocked.map((each) => each.reason))).toEqual(new Set(["guard", "dns"]));
    const ways = new Set(seen.blocked.map(({ url }) => new URL(url).pathname));
    const known = ["img", "frame", "fetch", "worker", "form", "xhr", "import", "font", "module", "refresh"];
    known.push("blob", "data", "data-worker", "dynamic", "keepalive", "ping", "embed");
    for (const way of known) expect(ways).toContain(`/${way}`);
  });

  test("B4 the capture goes on through dialogs, popups, downloads, printing, a console full of errors and hijacked built-ins", async () => {
    it.zoo.seen.length = 0;
    const paths = ["/dialogs", "/popups", "/downloads", "/print", "/shouts", "/regrows"];
    const all = await Promise.all(paths.map((path) => see(path)));
    expect(all.map(({ finalUrl, status }) => [finalUrl, status])).toEqual(
      paths.map((path) => [it.zoo.origin + path, 200]),
    );
    for (const seen of all) expect(words(seen)).toContain("Still here");
    expect(it.zoo.seen.filter((each) => each.path.includes("popup="))).toEqual([]);
    expect(await leftInTemp(/x\.bin|y\.bin|\.crdownload/)).toEqual([]);
  });

  test("B4 B5 pages that never come to rest, or try to leave the web, are seen as they stand", async () => {
    const paths = ["/never-idle", "/never-loads", "/loop", "/loop-later", "/loop-inside", "/go-elsewhere"];
    // Three of them take a processor each for as long as they are waited for.
    const all = await Promise.all(paths.map((path) => see(path, { loadMs: 1_500, quietMs: 500 })));
    expect(all.map((seen) => seen.finalUrl)).toEqual(paths.map((path) => it.zoo.origin + path));
    for (const seen of all) expect(words(seen)).toContain("Still here");
  });

  test("B4 permissions are refused", async () => {
    const said = words(await see("/permissions")).join(" ");
    expect(said).toContain("clipboard:denied geo:denied");
    expect(said).not.toContain("given");
  });

  test.for([
    ["/endless", "too-large"],
    ["/gzip-bomb", "too-large"],
    ["/redirect-loop", "redirects"],
    ["/memory", "crashed"],
  ])("B5 %s ends as %s", async ([path = "", kind]) => {
    expect(await it.capture(path)).toMatchObject({ ok: false, failure: { kind } });
  });

  test("R9 a document that is still arriving when it is looked at counts as cut", async () => {
    const cut = { ok: true, snapshot: { truncated: true }, evidence: { validator: null, bodySha256: "" } };
    expect(await it.capture("/trickle")).toMatchObject(cut);
  });

  test("B6 100,000 px are cut at 16,000 and marked", async () => {
    const seen = await see("/tall");
    expect([seen.picture?.isCut, seen.truncated]).toEqual([true, false]);
    expect(await sharp(seen.picture?.png).metadata()).toMatchObject({ width: 1280, height: 16_000 });
  });

  test("B3 nothing survives a capture: storage, cookies, service workers", async () => {
    const first = await see("/service-worker");
    const second = await see("/service-worker");
    expect(words(first)).toEqual(["xplain=1; seen=1"]);
    expect(words(second)).toEqual(words(first));
  });

  test("a page whose process is killed is tried again", async () => {
    const going = it.capture("/never-idle");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const own = await descendants();
    for (const { pid, renderer } of own) if (renderer) process.kill(pid, "SIGKILL");
    expect(await going).toMatchObject({ ok: true });
  });
});

describe.runIf(process.platform === "linux")("B1 the browser's processes", () => {
  test("are not root, hold no capability and can gain none", async () => {
    const browser = (await descendants()).filter(({ name }) => /^\S*chrom/.test(name));
    expect(browser.length).toBeGreaterThan(2);
    for (const { pid } of browser) {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe("0");
      expect(/^NoNewPrivs:\s+(\d)/m.exec(status)?.[1]).toBe("1");
    }
    // Its children hold capabilities over the empty namespaces of Chromium's sandbox; it holds none over anything.
    const main = browser.find(({ name }) => !name.includes("--type="));
    const status = await readFile(`/proc/${main?.pid}/status`, "utf8");
    expect(/^CapEff:\s+(\w+)/m.exec(status)?.[1]).toMatch(/^0+$/);
  });

  test("have Chromium's own sandbox around every page", async () => {
    const filters = await it.pool.withOfflineTab(async () => {
      const renderers = (await descendants()).filter((each) => each.renderer);
      const statuses = renderers.map(({ pid }) => readFile(`/proc/${pid}/status`, "utf8"));
      return (await Promise.all(statuses)).map((status) => /^Seccomp:\s+(\d)/m.exec(status)?.[1]);
    });
    expect(new Set(filters)).toEqual(new Set(["2"]));
  });

  test.runIf(findProtection().namespaces)("live in network and process namespaces of their own", async () => {
    const browser = (await descendants()).filter(({ name }) => /^\S*chrom/.test(name));
    for (const kind of ["net", "pid", "ipc", "mnt"]) {
      const own = await readlink(`/proc/self/ns/${kind}`);
      for (const { pid } of browser) expect(await readlink(`/proc/${pid}/ns/${kind}`)).not.toBe(own);
    }
    expect(it.logs[0]).toMatch(/own network and process namespaces.*Self-test: nothing got out/);
  });

  test("do without Chromium's own sandbox where the operator says so, and it is told", async () => {
    const without = () =>
      descendants().then((all) => all.filter(({ name }) => name.includes("--no-sandbox")));
    expect(await without()).toEqual([]);
    await using open = new AsyncDisposableStack();
    const free = open.adopt(await openCapture({ sandbox: false }), (opened) => opened.close());
    expect(free.logs[0]).toContain("WITHOUT Chromium's sandbox");
    expect(await free.capture("/calm")).toMatchObject({ ok: true });
    expect((await without()).length).toBeGreaterThan(0);
  });

  test("get no debug port and none of our environment", async () => {
    for (const { pid, name } of await descendants()) {
      expect(name).not.toMatch(/remote-debugging-port/);
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      expect(environment).not.toMatch(/VITEST|npm_|SESSION_SECRET|DATABASE_URL/);
    }
  });
});

async function descendants() {
  const tree = processTree(process.pid);
  return Promise.all(
    tree
      .filter(({ pid }) => pid !== process.pid)
      .map(async (row) => ({
        ...row,
        name: (await readFile(`/proc/${row.pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " "),
      })),
  );
}

async function leftInTemp(pattern: RegExp): Promise<string[]> {
  const names = await readdir(tmpdir(), { recursive: true }).catch(() => []);
  return names.filter((name) => pattern.test(name) && name.includes("watchglass-capture"));
}
