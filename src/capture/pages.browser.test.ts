import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Rendered } from "#contract/capture.ts";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import { visit } from "./browser/visit.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { type CaptureRequest, capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";
import { recordVideo } from "./testing/record-video.ts";
import { pageSnapshot } from "./to-snapshot.ts";

// One file, so that one browser serves all of it: to start one costs as much as six captures.
let it: TestCapture;
beforeAll(async () => {
  it = await openCapture({ concurrency: 4 });
});
afterAll(() => it.close());

async function see(path: string, request: Partial<CaptureRequest> = {}) {
  const result = await it.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(`${path}: ${JSON.stringify(result)}`);
  return result.snapshot;
}

describe("what moves and comes late", () => {
  beforeAll(async () => {
    it.zoo.video = await it.pool.withOfflineTab(recordVideo);
  });

  const pngOf = ({ picture }: Awaited<ReturnType<typeof see>>) => Buffer.from(picture?.png ?? []);

  test.for(["/calm", "/fonts", "/lazy", "/animation", "/carousel", "/video", "/framed"])(
    "two captures of %s are byte-equal, one alone and one beside another page",
    async (path) => {
      const first = await see(path);
      const [second] = await Promise.all([see(path), see("/calm")]);
      expect(second.html).toBe(first.html);
      expect(second.text).toEqual(first.text);
      expect(Buffer.compare(second.body, first.body)).toBe(0);
      expect(Buffer.compare(pngOf(second), pngOf(first))).toBe(0);
    },
  );

  test("lazy images are loaded, those a script loads too", async () => {
    it.zoo.seen.length = 0;
    const png = pngOf(await see("/lazy"));
    const asked = it.zoo.seen.map((each) => each.path).filter((path) => path.startsWith("/slow.png"));
    expect(asked.sort()).toEqual(
      [...Array.from({ length: 6 }, (_, i) => `/slow.png?${i}`), "/slow.png?observed"].sort(),
    );
    const last = await sharp(png).extract({ left: 20, top: 9_030, width: 150, height: 60 }).stats();
    expect(last.dominant.r).toBeGreaterThan(240);
  });

  test("a late web font is waited for", async () => {
    it.zoo.seen.length = 0;
    await see("/fonts");
    expect(it.zoo.seen.map((each) => each.path)).toContain("/late.ttf");
  });

  test("what moves stands still after what it put off once by up to five seconds", async () => {
    expect((await see("/carousel")).text.map((block) => block.text)).toEqual(["2"]);
  });

  test("the text of frames is read where they stand, whosever site they are", async () => {
    const url = `${it.zoo.origin.replace("127.0.0.1", "www.site.test")}/framed`;
    const { text } = await see(url);
    const near = ["near soon", "spin"];
    const deep = ["Far", "deep soon", "spin"];
    expect(text.map((block) => block.text)).toEqual(["Before", ...near, ...deep, "Boxed", "After"]);
  });

  test("a frame that the job ignores goes with all that is in it", async () => {
    const { snapshot } = applyRules(await see("/framed"), readRules({ selector: null, ignore: ["iframe"] }));
    expect(snapshot.text.map((block) => block.text)).toEqual(["Before", "After"]);
  });
});

// Side by side: they only wait.
describe.concurrent("what is waited for", () => {
  async function words(path: string, request: Partial<CaptureRequest> = {}) {
    const { text } = await see(path, request);
    return text.map((block) => block.text);
  }

  test("text that comes up to five seconds after loading is seen, however it comes", async () => {
    const typed = "… piece piece piece piece";
    expect(await words("/late-text")).toEqual(["after 5 s", "after 2 + 2 s", "asked for, 4.5 s", typed, "…"]);
  });

  test("what comes later is seen by those who wait for seconds or for an element", async () => {
    const [bySeconds, byElement, plain] = await Promise.all([
      words("/very-late", { waitFor: { seconds: 7 } }),
      words("/very-late", { waitFor: { selector: ".there" } }),
      words("/very-late"),
    ]);
    expect([bySeconds, byElement, plain]).toEqual([["there"], ["there"], ["not yet"]]);
  });

  test("what is waited for must be a selector", async () => {
    const result = await it.capture("/calm", { waitFor: { selector: "p[" } });
    expect(result).toMatchObject({ ok: false, failure: { kind: "selector" } });
  });
});

describe("what is in sight", () => {
  /** The ids of the elements with an index, by it. */
  function idsOf(html: string): string[] {
    const plain = html.replace(
      /<(script|style|title|noscript|template|iframe)\b([^>]*)>.*?<\/\1>/gs,
      (_, tag, rest) => (rest.includes("shadowrootmode") ? "" : `<${tag}${rest}>`),
    );
    return [...plain.matchAll(/<[a-z][\w-]*([^>]*)>/g)].map(
      ([, rest = ""]) => /id="([^"]*)"/.exec(rest)?.[1] ?? "",
    );
  }

  function named(html: string, { elements, hidden, cloaked, shown, written }: Rendered) {
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

  test("what of the HTML is in sight is known by the elements' order", async () => {
    const { html, rendered, truncated } = await see("/sight");
    expect(truncated).toBe(false);
    expect(rendered && named(html, rendered)).toEqual({
      hidden:
        "never attribute class sheet visibility content until-found transparent nothing folded off-canvas unslotted".split(
          " ",
        ),
      cloaked: "clipped far tiny indented".split(" "),
      shown: ["shown-again"],
      written: [{ at: "badge", before: "New: ", after: "sold “out”" }],
    });
  });

  test("a selected part is counted by itself, without what the job ignores", async () => {
    const glasses = readRules({ selector: "#part", ignore: ["#badge"] });
    const { html, rendered } = applyRules(await see("/sight"), glasses).snapshot;
    expect(rendered && named(html, rendered)).toEqual({
      hidden: ["folded"],
      cloaked: [],
      shown: [],
      written: [],
    });
  });

  test("B5 ninety inputs with names of three megabytes each hurt nobody else", async () => {
    const { launches } = it.pool.metrics;
    const result = await it.capture("/long-names");
    expect(result).toMatchObject({ ok: false, failure: { kind: "too-large" } });
    expect(await see("/calm")).toMatchObject({ status: 200 });
    expect(it.pool.metrics.launches).toBe(launches);
  });

  test("B5 a part with many long names is read, each of them cut", async () => {
    const { forms, truncated } = await see("/long-names?40000");
    expect(truncated).toBe(false);
    expect(forms[0]?.inputs.map((input) => input.name.length)).toEqual(Array(90).fill(200));
  });

  test("a page whose names hide the browser's own is read all the same", async () => {
    const { text, rendered, html, forms } = await see("/clobbered");
    expect(text.map((block) => block.text)).toEqual(["Inside", "Behind"]);
    expect(rendered && named(html, rendered).hidden).toEqual(["gone"]);
    expect(forms[0]?.inputs.map((input) => input.name)).toContain("getAttribute");
  });
});

describe("how it is asked for", () => {
  const ask = {
    method: "POST" as const,
    body: "q=lamps&day=2027-03-04",
    contentType: "application/x-www-form-urlencoded",
    headers: [
      ["user-agent", "Prices/1.0"],
      ["accept-language", "de-DE, de;q=0.8, *;q=0.1"],
    ] as [string, string][],
  };

  test("a form is sent, by whom and in which language its user says; what the page loads is asked for plainly, and its scripts see the same", async () => {
    const { text } = await see("/echo-post", { ask });
    expect(text.map((block) => block.text)).toEqual([
      "POST q=lamps&day=2027-03-04",
      "application/x-www-form-urlencoded",
      "Prices/1.0",
      "de-DE, de;q=0.8, *;q=0.1",
      "then GET Prices/1.0, Prices/1.0 de-DE de-DE,de",
    ]);
  });

  test("an API that takes JSON is asked once, by HTTP", async () => {
    const before = it.zoo.seen.length;
    const { html } = await see("/echo-json", {
      ask: { ...ask, method: "PUT", body: '{"a":1}', contentType: "application/json" },
    });
    expect(JSON.parse(html)).toEqual({
      method: "PUT",
      body: '{"a":1}',
      type: "application/json",
    });
    expect(it.zoo.seen.length - before).toBe(1);
  });
});

describe("over TLS", () => {
  const encrypted = {
    protocol: "http/1.1",
    status: 200,
    tls: { issuer: "Root", expiresAt: "2126-10-21T14:22:32.000Z" },
  };

  test.for(["/calm", "/security.txt"])("a certificate nobody vouches for is a failure: %s", async (path) => {
    const failure = { kind: "tls" };
    expect(await it.capture(it.zoo.secure + path)).toMatchObject({ ok: false, failure });
  });

  /** Plain HTTP trusts the zoo's authority until the test ends. */
  function trustZoo(): void {
    const ca = readFileSync(new URL("../network/testing/fixtures/ca.pem", import.meta.url), "utf8");
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, ca]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  /** Chromium trusts the system's authorities, and the product offers no way to add one. */
  const trusting: BrowserPool["withTab"] = (work, isAlone) =>
    it.pool.withTab(async (tab, lane) => {
      await tab.send("Security.setIgnoreCertificateErrors", { ignore: true });
      return work(tab, lane);
    }, isAlone);

  test("issuer, expiry and protocol by plain HTTP", async () => {
    trustZoo();
    const snapshot = { ...encrypted, via: "http", timing: { tls: expect.any(Number) } };
    expect(await it.capture(`${it.zoo.secure}/security.txt`)).toMatchObject({ ok: true, snapshot });
  });

  test("issuer, expiry and protocol by the browser", async () => {
    const url = `${it.zoo.secure}/calm`;
    const snapshot = await trusting(async (tab, lane) => {
      const seen = await visit(tab, { url, headers: [] });
      if (seen.outcome !== "page") throw new Error(seen.outcome);
      return pageSnapshot(seen.page, lane, url);
    });
    expect(snapshot).toMatchObject({ ...encrypted, via: "browser", timing: { tls: expect.any(Number) } });
  });

  test("R9 an HTTP/2 stream that is reset cuts its document", async () => {
    const seen = await Promise.all(
      ["/whole", "/cut"].map((path) =>
        trusting((tab) => visit(tab, { url: it.zoo.http2 + path, headers: [] })),
      ),
    );
    expect(seen).toMatchObject([
      { outcome: "page", page: { document: { response: { protocol: "h2" } } } },
      { outcome: "failed", failure: { kind: "cut" } },
    ]);
  });

  test("R9 where a change rests on it, a document behind TLS is cut if its coding ends early", async () => {
    trustZoo();
    const pool = { withTab: trusting, requestHeaders: it.pool.requestHeaders, isWary: false };
    const take = (path: string, isConfirmation: boolean) =>
      capture(
        { ...it.deps, pool: pool as unknown as BrowserPool },
        { url: it.zoo.secure + path, isConfirmation },
      );
    // The gateway cannot see it, and Chromium does not mind.
    expect(await take("/cut-gzip", false)).toMatchObject({ ok: true });
    for (const path of ["/cut-gzip", "/cut-br", "/cut-br-but-by-gzip"]) {
      expect([path, await take(path, true)]).toMatchObject([path, { ok: false, failure: { kind: "cut" } }]);
    }
    expect(await take("/whole-gzip", true)).toMatchObject({ ok: true, snapshot: { via: "browser" } });
  });

  test("without encryption there is neither issuer nor expiry", async () => {
    const plain = await it.capture("/calm");
    expect(plain).toMatchObject({ ok: true, snapshot: { tls: null, protocol: "http/1.1" } });
  });
});
