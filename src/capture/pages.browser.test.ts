import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Rendered } from "#contract/capture.ts";
import { applyRules, parseRules } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { visit } from "./browser/page-visit/visit.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { type CaptureRequest, capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";
import { recordVideo } from "./testing/record-video.ts";
import { toPageSnapshot } from "./to-snapshot.ts";

// These tests are in one file to share one browser: starting a browser takes as long as six captures.
let testCapture: TestCapture;
beforeAll(async () => {
  testCapture = await openCapture({ concurrency: 4 });
});
afterAll(() => testCapture.close());

async function takeSnapshot(path: string, request: Partial<CaptureRequest> = {}) {
  const result = await testCapture.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(`${path}: ${JSON.stringify(result)}`);
  return result.snapshot;
}

describe("moving and late content", () => {
  beforeAll(async () => {
    testCapture.zoo.video = await testCapture.pool.withOfflineTab(recordVideo);
  });

  const pngOf = ({ picture }: Awaited<ReturnType<typeof takeSnapshot>>) => Buffer.from(picture?.png ?? []);

  const stillPaths = ["/calm", "/fonts", "/lazy", "/animation", "/carousel", "/video", "/framed"];
  const concurrentCaptures = new Map<string, ReturnType<typeof takeSnapshot>>();
  /** A capture taken together with that of another page, which the other page's test then uses. */
  function captureWithNeighbor(path: string): ReturnType<typeof takeSnapshot> {
    const other = stillPaths[stillPaths.indexOf(path) + 1] ?? "/calm";
    for (const each of concurrentCaptures.has(path) ? [] : [path, other])
      concurrentCaptures.set(each, takeSnapshot(each));
    return concurrentCaptures.get(path) ?? takeSnapshot(path);
  }

  test.for(stillPaths)(
    "two captures of %s are byte-identical, one taken alone and one together with another page",
    async (path) => {
      const second = await captureWithNeighbor(path);
      await Promise.all(concurrentCaptures.values());
      const first = await takeSnapshot(path);
      expect(second.html).toBe(first.html);
      expect(second.text).toEqual(first.text);
      expect(Buffer.compare(second.body, first.body)).toBe(0);
      expect(Buffer.compare(pngOf(second), pngOf(first))).toBe(0);
    },
  );

  test("lazy images are loaded, including one that a script loads", async () => {
    testCapture.zoo.seen.length = 0;
    const png = pngOf(await takeSnapshot("/lazy"));
    const asked = testCapture.zoo.seen
      .map((each) => each.path)
      .filter((path) => path.startsWith("/slow.png"));
    expect(asked.sort()).toEqual(
      [...Array.from({ length: 6 }, (_, i) => `/slow.png?${i}`), "/slow.png?observed"].sort(),
    );
    const last = await sharp(png).extract({ left: 20, top: 9_030, width: 150, height: 60 }).stats();
    expect(last.dominant.r).toBeGreaterThan(240);
  });

  test("the capture waits for a late web font", async () => {
    testCapture.zoo.seen.length = 0;
    await takeSnapshot("/fonts");
    expect(testCapture.zoo.seen.map((each) => each.path)).toContain("/late.ttf");
  });

  test("a carousel stands still after its timers of up to five seconds have run once", async () => {
    expect((await takeSnapshot("/carousel")).text.map((block) => block.text)).toEqual(["2"]);
  });

  test("the text of frames is read at their position, whichever site they belong to", async () => {
    const url = `${testCapture.zoo.origin.replace("127.0.0.1", "www.site.test")}/framed`;
    const { text } = await takeSnapshot(url);
    const near = ["near soon", "spin"];
    const deep = ["Far", "deep soon", "spin"];
    expect(text.map((block) => block.text)).toEqual(["Before", ...near, ...deep, "Boxed", "After"]);
  });

  test("a frame that the job ignores is removed with all its content", async () => {
    const { snapshot } = applyRules(
      await takeSnapshot("/framed"),
      parseRules({ selector: null, ignore: ["iframe"] }),
    );
    expect(snapshot.text.map((block) => block.text)).toEqual(["Before", "After"]);
  });
});

// These run concurrently, because they mostly wait.
describe.concurrent("waiting", () => {
  async function words(path: string, request: Partial<CaptureRequest> = {}) {
    const { text } = await takeSnapshot(path, request);
    return text.map((block) => block.text);
  }

  test("text that appears up to five seconds after loading is captured, however it appears", async () => {
    const typed = "… piece piece piece piece";
    expect(await words("/late-text")).toEqual(["after 5 s", "after 2 + 2 s", "asked for, 4.5 s", typed, "…"]);
  });

  test("later text is captured if the job waits for seconds or for an element", async () => {
    const [bySeconds, byElement, plain] = await Promise.all([
      words("/very-late", { waitFor: { seconds: 7 } }),
      words("/very-late", { waitFor: { selector: ".there" } }),
      words("/very-late"),
    ]);
    expect([bySeconds, byElement, plain]).toEqual([["there"], ["there"], ["not yet"]]);
  });

  test("an invalid selector to wait for is a failure", async () => {
    const result = await testCapture.capture("/calm", { waitFor: { selector: "p[" } });
    expect(result).toMatchObject({ ok: false, failure: { kind: "selector" } });
  });
});

describe("visibility of elements", () => {
  /** The ids of the elements that have an index, in index order. */
  function idsOf(html: string): string[] {
    const plain = html.replace(
      /<(script|style|title|noscript|template|iframe)\b([^>]*)>.*?<\/\1>/gs,
      (_, tag, rest) => (rest.includes("shadowrootmode") ? "" : `<${tag}${rest}>`),
    );
    return [...plain.matchAll(/<[a-z][\w-]*([^>]*)>/g)].map(
      ([, rest = ""]) => /id="([^"]*)"/.exec(rest)?.[1] ?? "",
    );
  }

  function findIds(html: string, { elements, hidden, cloaked, shown, written }: Rendered) {
    const ids = idsOf(html);
    expect(ids.length).toBe(elements);
    const names = (list: number[]) => list.map((at) => ids[at]);
    return {
      hidden: names(hidden),
      cloaked: names(cloaked),
      shown: names(shown),
      written: written.map(({ at, ...rest }) => ({ at: ids[at], ...rest })),
    };
  }

  test("hidden, cloaked and shown elements are reported by their index in the HTML", async () => {
    const { html, rendered, truncated } = await takeSnapshot("/sight");
    expect(truncated).toBe(false);
    expect(rendered && findIds(html, rendered)).toEqual({
      hidden:
        "never attribute class sheet visibility content until-found transparent nothing folded off-canvas unslotted".split(
          " ",
        ),
      cloaked: "clipped far tiny indented".split(" "),
      shown: ["shown-again"],
      written: [{ at: "badge", before: "New: ", after: "sold “out”" }],
    });
  });

  test("a selected part has its own element indexes, without ignored elements", async () => {
    const rules = parseRules({ selector: "#part", ignore: ["#badge"] });
    const { html, rendered } = applyRules(await takeSnapshot("/sight"), rules).snapshot;
    expect(rendered && findIds(html, rendered)).toEqual({
      hidden: ["folded"],
      cloaked: [],
      shown: [],
      written: [],
    });
  });

  test("B5 ninety inputs with names of three megabytes each fail only their own capture", async () => {
    const { launches } = testCapture.pool.metrics;
    const result = await testCapture.capture("/long-names");
    expect(result).toMatchObject({ ok: false, failure: { kind: "too-large" } });
    expect(await takeSnapshot("/calm")).toMatchObject({ status: 200 });
    expect(testCapture.pool.metrics.launches).toBe(launches);
  });

  test("B5 a form with many long input names is read, with each name cut", async () => {
    const { forms, truncated } = await takeSnapshot("/long-names?40000");
    expect(truncated).toBe(false);
    expect(forms[0]?.inputs.map((input) => input.name.length)).toEqual(Array(90).fill(200));
  });

  test("a page whose element names hide DOM properties is read correctly", async () => {
    const { text, rendered, html, forms } = await takeSnapshot("/clobbered");
    expect(text.map((block) => block.text)).toEqual(["Inside", "Behind"]);
    expect(rendered && findIds(html, rendered).hidden).toEqual(["gone"]);
    expect(forms[0]?.inputs.map((input) => input.name)).toContain("getAttribute");
  });
});

describe("request settings", () => {
  const ask = {
    method: "POST" as const,
    body: "q=lamps&day=2027-03-04",
    contentType: "application/x-www-form-urlencoded",
    headers: [
      ["user-agent", "Prices/1.0"],
      ["accept-language", "de-DE, de;q=0.8, *;q=0.1"],
    ] as [string, string][],
  };

  test("the job's method and body apply to the page, its user agent and language to scripts and subrequests too", async () => {
    const { text } = await takeSnapshot("/echo-post", { ask });
    expect(text.map((block) => block.text)).toEqual([
      "POST q=lamps&day=2027-03-04",
      "application/x-www-form-urlencoded",
      "Prices/1.0",
      "de-DE, de;q=0.8, *;q=0.1",
      "then GET Prices/1.0, Prices/1.0 de-DE de-DE,de",
    ]);
  });

  test("an API that takes JSON is requested once, by plain HTTP", async () => {
    const before = testCapture.zoo.seen.length;
    const { html } = await takeSnapshot("/echo-json", {
      ask: { ...ask, method: "PUT", body: '{"a":1}', contentType: "application/json" },
    });
    expect(JSON.parse(html)).toEqual({
      method: "PUT",
      body: '{"a":1}',
      type: "application/json",
    });
    expect(testCapture.zoo.seen.length - before).toBe(1);
  });
});

describe("request methods", () => {
  const browserMethods = ["PATCH", "DELETE", "OPTIONS"] as const;
  test.for(browserMethods)("%s reaches a page with its body", async (method) => {
    const ask = { method, headers: [], body: "a=1", contentType: "application/x-www-form-urlencoded" };
    const { text } = await takeSnapshot("/echo-post", { ask });
    expect(text[0]?.text).toBe(`${method} a=1`);
  });

  test("a method without a body is sent without one", async () => {
    const { html } = await takeSnapshot("/echo-json", { ask: { method: "DELETE", headers: [] } });
    expect(JSON.parse(html)).toEqual({ method: "DELETE", body: "", type: "" });
  });

  test("HEAD gets status and headers by plain HTTP, also of a page, and nothing else", async () => {
    const before = testCapture.zoo.seen.length;
    const snapshot = await takeSnapshot("/calm", { ask: { method: "HEAD", headers: [] } });
    expect(snapshot).toMatchObject({ status: 200, via: "http", text: [], html: "" });
    expect(snapshot.headers.map(([name]) => name)).toContain("content-type");
    expect(testCapture.zoo.seen.slice(before)).toHaveLength(1);
  });
});

describe("over TLS", () => {
  const encrypted = {
    protocol: "http/1.1",
    status: 200,
    tls: { issuer: "Root", expiresAt: "2126-10-21T14:22:32.000Z" },
  };

  test.for(["/calm", "/security.txt"])("an untrusted certificate is a failure: %s", async (path) => {
    const failure = { kind: "tls" };
    expect(await testCapture.capture(testCapture.zoo.secure + path)).toMatchObject({ ok: false, failure });
  });

  /** Makes plain HTTP trust the zoo's certificate authority until the test ends. */
  function trustZoo(): void {
    const ca = readFileSync(new URL("../network/testing/fixtures/ca.pem", import.meta.url), "utf8");
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, ca]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  /** Ignores certificate errors: Chromium trusts only the system's authorities, and the product can't add one. */
  const withTrustingTab: BrowserPool["withTab"] = (work, isAlone) =>
    testCapture.pool.withTab(async (tab, tunnel) => {
      await tab.send("Security.setIgnoreCertificateErrors", { ignore: true });
      return work(tab, tunnel);
    }, isAlone);

  test("a capture by plain HTTP has issuer, expiry and protocol", async () => {
    trustZoo();
    const snapshot = { ...encrypted, via: "http", timing: { tls: expect.any(Number) } };
    expect(await testCapture.capture(`${testCapture.zoo.secure}/security.txt`)).toMatchObject({
      ok: true,
      snapshot,
    });
  });

  test("a capture by the browser has issuer, expiry and protocol", async () => {
    const url = `${testCapture.zoo.secure}/calm`;
    const snapshot = await withTrustingTab(async (tab, tunnel) => {
      const visited = await visit(tab, { url, headers: [] });
      if (visited.outcome !== "page") throw new Error(visited.outcome);
      return toPageSnapshot(visited.page, tunnel, url);
    });
    expect(snapshot).toMatchObject({ ...encrypted, via: "browser", timing: { tls: expect.any(Number) } });
  });

  test("R9 a document whose HTTP/2 stream is reset fails as cut", async () => {
    const visited = await Promise.all(
      ["/whole", "/cut"].map((path) =>
        withTrustingTab((tab) => visit(tab, { url: testCapture.zoo.http2 + path, headers: [] })),
      ),
    );
    expect(visited).toMatchObject([
      { outcome: "page", page: { document: { response: { protocol: "h2" } } } },
      { outcome: "failed", failure: { kind: "cut" } },
    ]);
  });

  test("R9 a confirmation over TLS fails as cut if the document's compression ends early", async () => {
    trustZoo();
    const pool = {
      withTab: withTrustingTab,
      requestHeaders: () => [],
      hasRecentMemoryKill: false,
    };
    const take = (path: string, isConfirmation: boolean) =>
      capture(
        { ...testCapture.deps, pool: pool as unknown as BrowserPool },
        { url: testCapture.zoo.secure + path, isConfirmation },
      );
    // The gateway can't look inside TLS, and Chromium accepts the cut document.
    expect(await take("/cut-gzip", false)).toMatchObject({ ok: true });
    for (const path of ["/cut-gzip", "/cut-br", "/cut-br-but-by-gzip"]) {
      expect([path, await take(path, true)]).toMatchObject([path, { ok: false, failure: { kind: "cut" } }]);
    }
    expect(await take("/whole-gzip", true)).toMatchObject({ ok: true, snapshot: { via: "browser" } });
  });

  test("a capture without TLS has neither issuer nor expiry", async () => {
    const plain = await testCapture.capture("/calm");
    expect(plain).toMatchObject({ ok: true, snapshot: { tls: null, protocol: "http/1.1" } });
  });
});
