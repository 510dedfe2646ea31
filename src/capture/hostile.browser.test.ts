import { deepEqual } from "node:assert/strict";
import { readdir, readFile, readlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { processTree } from "./browser/memory-limits/process-tree.ts";
import { findProtection } from "./browser/sandbox/protection.ts";
import { capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const limits = { html: 3 * 1024 * 1024, loadMs: 4_000, quietMs: 2_000, imagesMs: 1_000 };
let testCapture: TestCapture;
beforeAll(async () => {
  testCapture = await openCapture({ concurrency: 4, maxPageBytes: 400 * 1024 * 1024 }, limits);
});
afterAll(() => testCapture.close());

async function takeSnapshot(path: string, wait: Partial<typeof limits> = {}) {
  const deps = { ...testCapture.deps, limits: { ...limits, ...wait } };
  const result = await capture(deps, { url: testCapture.zoo.origin + path });
  if (!result.ok) throw new Error(`${path}: ${result.failure.message}`);
  if (result.unchanged) throw new Error(`${path}: unchanged`);
  return result.snapshot;
}

const words = (snapshot: { text: { text: string }[] }) => snapshot.text.map((block) => block.text);

describe("hostile pages", () => {
  // Whatever the page did, the canary got no request and the next capture is unaffected.
  afterEach(async () => {
    deepEqual(testCapture.zoo.canary.hits, []);
    const next = await takeSnapshot("/calm");
    deepEqual([words(next).includes("Calm page"), next.blocked, next.thirdPartyHosts], [true, [], []]);
  });

  test("B1 B2 every outgoing request of a page ends at the gateway", async () => {
    const snapshot = await takeSnapshot("/call-out");
    // A name that resolves to an internal address looks like "dns" (E11).
    expect(new Set(snapshot.blocked.map((each) => each.reason))).toEqual(new Set(["guard", "dns"]));
    const ways = new Set(snapshot.blocked.map(({ url }) => new URL(url).pathname));
    const known = ["img", "frame", "fetch", "worker", "form", "xhr", "import", "font", "module", "refresh"];
    known.push("blob", "data", "data-worker", "dynamic", "keepalive", "ping", "embed");
    for (const way of known) expect(ways).toContain(`/${way}`);
  });

  test("B4 dialogs, popups, downloads, printing, console floods and hijacked built-ins don't stop a capture", async () => {
    testCapture.zoo.seen.length = 0;
    const paths = ["/dialogs", "/popups", "/downloads", "/print", "/shouts", "/regrows"];
    const all = await Promise.all(paths.map((path) => takeSnapshot(path)));
    expect(all.map(({ finalUrl, status }) => [finalUrl, status])).toEqual(
      paths.map((path) => [testCapture.zoo.origin + path, 200]),
    );
    for (const snapshot of all) expect(words(snapshot)).toContain("Still here");
    expect(testCapture.zoo.seen.filter((each) => each.path.includes("popup="))).toEqual([]);
    expect(await leftInTemp(/x\.bin|y\.bin|\.crdownload/)).toEqual([]);
  });

  test("B4 B5 pages that never settle or try to leave the web are captured as they are", async () => {
    const paths = ["/never-idle", "/never-loads", "/loop", "/loop-later", "/loop-inside", "/go-elsewhere"];
    // Three of them use a full processor each until the wait ends.
    const all = await Promise.all(paths.map((path) => takeSnapshot(path, { loadMs: 1_000, quietMs: 500 })));
    expect(all.map((snapshot) => snapshot.finalUrl)).toEqual(
      paths.map((path) => testCapture.zoo.origin + path),
    );
    for (const snapshot of all) expect(words(snapshot)).toContain("Still here");
  });

  test("B4 a page's requests for permissions are refused", async () => {
    const text = words(await takeSnapshot("/permissions")).join(" ");
    expect(text).toContain("clipboard:denied geo:denied");
    expect(text).not.toContain("given");
  });

  test("B5 an endless body, a gzip bomb and a redirect loop are stopped", async () => {
    const paths = ["/endless", "/gzip-bomb", "/redirect-loop"];
    const ends = await Promise.all(paths.map((path) => testCapture.capture(path)));
    const failed = (kind: string) => ({ ok: false, failure: { kind } });
    expect(ends).toMatchObject(["too-large", "too-large", "redirects"].map(failed));
  });

  test("B5 only a server that doesn't answer is blamed for it; a page that is too heavy for us isn't", async () => {
    const takeWithin = async (path: string, wait: object) => {
      const deps = { ...testCapture.deps, limits: { ...limits, ...wait } };
      const result = await capture(deps, { url: testCapture.zoo.origin + path });
      return result.ok ? "captured" : [result.failure.kind, result.failure.message];
    };
    expect(await takeWithin("/hangs", { answerMs: 800 })).toEqual([
      "timeout",
      "The server took too long to answer.",
    ]);
    expect(await takeWithin("/never-loads", { loadMs: 20_000, totalMs: 3_000 })).toEqual([
      "timeout",
      "Our capture ran out of time: the server answered, but the page took too long to load and draw completely.",
    ]);
  });

  test("B5 a page that fills its memory fails as crashed", async () => {
    expect(await testCapture.capture("/memory")).toMatchObject({ ok: false, failure: { kind: "crashed" } });
  });

  test("R9 a document that is still arriving when it is captured counts as truncated", async () => {
    const cut = { ok: true, snapshot: { truncated: true }, evidence: { validator: null, bodySha256: "" } };
    expect(await testCapture.capture("/trickle")).toMatchObject(cut);
  });

  test("B6 the picture of a page 100,000 px high is cut at 16,000 px and marked as cut", async () => {
    const snapshot = await takeSnapshot("/tall");
    expect([snapshot.picture?.isCut, snapshot.truncated]).toEqual([true, false]);
    expect(await sharp(snapshot.picture?.png).metadata()).toMatchObject({ width: 1280, height: 16_000 });
  });

  test("B3 storage, cookies and service workers don't survive a capture", async () => {
    const first = await takeSnapshot("/service-worker");
    const second = await takeSnapshot("/service-worker");
    expect(words(first)).toEqual(["xplain=1; seen=1"]);
    expect(words(second)).toEqual(words(first));
  });

  test("a page whose renderer process is killed is captured again", async () => {
    testCapture.zoo.seen.length = 0;
    const capturing = testCapture.capture("/never-idle");
    // The page's own script asks for it.
    await expect.poll(() => testCapture.zoo.seen.some(({ path }) => path.startsWith("/calm?"))).toBe(true);
    const renderers = (await descendants()).filter(({ renderer }) => renderer);
    expect(renderers).not.toEqual([]);
    for (const { pid } of renderers) process.kill(pid, "SIGKILL");
    expect(await capturing).toMatchObject({ ok: true });
  });

  // The server holds the first answer back: all of it, or its end.
  test.for(["/held.html", "/held-end.html"])(
    "%s is captured again if the network process is killed, and not taken for a file",
    async (path) => {
      testCapture.zoo.seen.length = 0;
      const capturing = testCapture.capture(path);
      const paths = () => testCapture.zoo.seen.map((each) => each.path);
      await expect.poll(paths).toContain(path);
      // The beginning of the document has arrived by then.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const isNetwork = ({ name }: { name: string }) => name.includes("network.mojom.NetworkService");
      const network = (await descendants()).filter(isNetwork);
      expect(network).not.toEqual([]);
      for (const { pid } of network) process.kill(pid, "SIGKILL");
      const result = await capturing;
      expect(result).toMatchObject({ ok: true, snapshot: { kind: "html", via: "browser" } });
      expect(paths().filter((each) => each === path).length).toBeGreaterThan(1);
    },
  );
});

describe.runIf(process.platform === "linux")("B1 the browser's processes", () => {
  test("are not root, have no capabilities and can gain none", async () => {
    const browser = (await descendants()).filter(({ name }) => /^\S*chrom/.test(name));
    expect(browser.length).toBeGreaterThan(2);
    for (const { pid } of browser) {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe("0");
      expect(/^NoNewPrivs:\s+(\d)/m.exec(status)?.[1]).toBe("1");
    }
    // Its children have capabilities in the empty namespaces of Chromium's sandbox; the main process has none at all.
    const main = browser.find(({ name }) => !name.includes("--type="));
    const status = await readFile(`/proc/${main?.pid}/status`, "utf8");
    expect(/^CapEff:\s+(\w+)/m.exec(status)?.[1]).toMatch(/^0+$/);
  });

  test("run every page in Chromium's own sandbox", async () => {
    const filters = await testCapture.pool.withOfflineTab(async () => {
      const renderers = (await descendants()).filter((each) => each.renderer);
      const statuses = renderers.map(({ pid }) => readFile(`/proc/${pid}/status`, "utf8"));
      return (await Promise.all(statuses)).map((status) => /^Seccomp:\s+(\d)/m.exec(status)?.[1]);
    });
    expect(new Set(filters)).toEqual(new Set(["2"]));
  });

  test.runIf(findProtection().namespaces)("run in their own network and process namespaces", async () => {
    const browser = (await descendants()).filter(({ name }) => /^\S*chrom/.test(name));
    for (const kind of ["net", "pid", "ipc", "mnt"]) {
      const own = await readlink(`/proc/self/ns/${kind}`);
      for (const { pid } of browser) expect(await readlink(`/proc/${pid}/ns/${kind}`)).not.toBe(own);
    }
    expect(testCapture.logs[0]).toMatch(/own network and process namespaces.*Self-test: nothing got out/);
  });

  test("run without Chromium's own sandbox if the operator turns it off, and this is logged", async () => {
    const without = () =>
      descendants().then((all) => all.filter(({ name }) => name.includes("--no-sandbox")));
    expect(await without()).toEqual([]);
    await using open = new AsyncDisposableStack();
    const unsandboxed = open.adopt(await openCapture({ sandbox: false }), (opened) => opened.close());
    expect(unsandboxed.logs[0]).toContain("WITHOUT Chromium's sandbox");
    expect(await unsandboxed.capture("/calm")).toMatchObject({ ok: true });
    expect((await without()).length).toBeGreaterThan(0);
  });

  test("get no debug port and none of the server's environment", async () => {
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
