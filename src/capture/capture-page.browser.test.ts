import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyRules, parseRules } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { noRules, type Rules } from "#detection/selectors-and-ignore-rules/rules.ts";
import { readPlainPng } from "#images/read-png.ts";
import type { CaptureResult } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let testCapture: TestCapture;
beforeAll(async () => {
  testCapture = await openCapture();
});
afterAll(() => testCapture.close());
beforeEach(() => {
  testCapture.zoo.seen.length = 0;
});

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

function snapshotOf(result: CaptureResult) {
  if (!result.ok) throw new Error(`expected a snapshot: ${result.failure.message}`);
  if (result.unchanged) throw new Error("expected a snapshot, not an unchanged body");
  return result.snapshot;
}

async function snapshot(...args: Parameters<TestCapture["capture"]>) {
  return snapshotOf(await testCapture.capture(...args));
}

async function kindOfFailure(...args: Parameters<TestCapture["capture"]>) {
  const result = await testCapture.capture(...args);
  return result.ok ? "no failure" : result.failure.kind;
}

describe("a page", () => {
  test("has requested everything it shows before its picture is taken", async () => {
    const requestCounts: number[] = [];
    await testCapture.capture(
      "/lazy",
      {},
      { onSiteDone: () => void requestCounts.push(testCapture.zoo.seen.length) },
    );
    expect(requestCounts).toEqual([testCapture.zoo.seen.length]);
    expect(testCapture.zoo.seen.filter(({ path }) => path.startsWith("/slow.png"))).toHaveLength(7);
  });

  test("has a complete snapshot", async () => {
    const captured = await snapshot("/calm");
    expect(captured).toMatchObject({
      finalUrl: `${testCapture.zoo.origin}/calm`,
      redirects: [],
      status: 200,
      protocol: "http/1.1",
      tls: null,
      contentType: "text/html; charset=utf-8",
      kind: "html",
      title: "Zoo",
      truncated: false,
      blocked: [],
      thirdPartyHosts: [],
      consoleErrors: ["said by calm.js"],
      via: "browser",
    });
    expect(captured.text).toEqual([
      { role: "other", area: "nav", text: "First link" },
      { role: "heading", area: "main", text: "Calm page" },
      { role: "paragraph", area: "main", text: "Price: 10 euro" },
      { role: "paragraph", area: "main", text: "Buy now" },
      { role: "item", area: "main", text: "one" },
      { role: "item", area: "main", text: "two" },
      { role: "control", area: "main", text: "Go" },
    ]);
    expect(captured.links).toEqual([{ href: `${testCapture.zoo.origin}/a`, text: "First link" }]);
    expect(captured.forms).toEqual([
      {
        action: `${testCapture.zoo.origin}/send`,
        method: "post",
        inputs: [
          { name: "action", type: "text" },
          { name: "pw", type: "password" },
          { name: "", type: "submit" },
        ],
      },
    ]);
    expect(captured.scripts).toEqual([
      { src: `${testCapture.zoo.origin}/calm.js`, sha256: sha256("console.error('said by calm.js')") },
    ]);
    expect(captured.cookies).toEqual([
      { name: "hidden", domain: "127.0.0.1", secure: false, httpOnly: true, sameSite: "" },
      { name: "plain", domain: "127.0.0.1", secure: false, httpOnly: false, sameSite: "Lax" },
    ]);
    expect(captured.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
    expect(Buffer.from(captured.body).toString()).toMatch(/^<!doctype html>.*<li>two<\/ul>/s);
    expect(captured.html).toMatch(/^<!DOCTYPE html><html>.*<li>two<\/li><\/ul>.*<\/html>$/s);
    expect(await sharp(captured.picture?.png).metadata()).toMatchObject({
      format: "png",
      width: 1280,
      height: 800,
    });
    expect(readPlainPng(captured.picture?.png ?? new Uint8Array(), 2 ** 26)).toMatchObject({ height: 800 });
    expect(Object.keys(captured.timing).sort()).toEqual(
      ["connect", "firstByte", "load", "picture", "ready", "total"].sort(),
    );
  });

  test("reports the positions of its pictures", async () => {
    const whole = (await snapshot("/lazy")).images ?? [];
    expect(whole).toHaveLength(7);
    expect(whole[1]).toMatchObject({
      src: `${testCapture.zoo.origin}/slow.png?1`,
      box: { width: 200, height: 100 },
    });
  });

  const paragraphs = process.env.TEST_SIZE === "long" ? 12_000 : 3_000;
  test(`of ${paragraphs} paragraphs is captured completely`, async () => {
    const captured = await snapshot(`/huge-dom?n=${paragraphs}`);
    expect([captured.truncated, captured.text.length]).toEqual([false, paragraphs + 1]);
    expect(captured.html).toContain(`paragraph ${paragraphs - 1}`);
  });

  test("reports its redirect chain", async () => {
    const captured = await snapshot("/moved");
    expect(captured.finalUrl).toBe(`${testCapture.zoo.origin}/calm`);
    expect(captured.redirects).toEqual([
      { url: `${testCapture.zoo.origin}/moved`, status: 301 },
      { url: `${testCapture.zoo.origin}/moved-again`, status: 302 },
    ]);
  });

  test("with an error status is captured like any other", async () => {
    const captured = await snapshot("/nowhere");
    expect([captured.status, captured.text.map((block) => block.text)]).toEqual([404, ["No such page"]]);
  });

  test("sends the user's headers only to its own site (E9)", async () => {
    const captured = await snapshot("/foreign", {
      headers: [
        ["X-Secret", "s3cret"],
        ["Cookie", "own=1"],
      ],
    });
    // Both sites are on 127.0.0.1 here and differ only in their port.
    expect(captured.thirdPartyHosts).toEqual([]);
    const requests = testCapture.zoo.seen.map(({ path, headers }) => [
      path,
      headers["x-secret"],
      headers.cookie,
    ]);
    expect(requests).toContainEqual(["/foreign", "s3cret", "own=1"]);
    expect(requests).toContainEqual(["/own.png", "s3cret", "own=1"]);
    expect(requests).toContainEqual(["other:/foreign.png", undefined, undefined]);
    expect(requests).toContainEqual(["other:/foreign.js", undefined, undefined]);
  });

  test("is not requested with headers that users may not set (E9)", async () => {
    expect(await kindOfFailure("/calm", { headers: [["Host", "internal"]] })).toBe("guard");
    expect(testCapture.zoo.seen).toEqual([]);
  });
});

describe("a job's rules", () => {
  const captureWithRules = async (path: string, rules: Partial<Rules>) =>
    applyRules(await snapshot(path), parseRules({ ...noRules, ...rules }));

  test("limit HTML, text and picture to the selector", async () => {
    const { snapshot: captured, comparedArea } = await captureWithRules("/calm", { selector: "#price" });
    expect(captured.html.replace(/\s+/g, " ")).toBe(
      '<html><body><main><p id="price">Price: <b>10</b> euro</p></main></body></html>',
    );
    expect(captured.text).toEqual([{ role: "paragraph", area: "main", text: "Price: 10 euro" }]);
    expect([captured.title, captured.scripts, captured.thirdPartyHosts]).toEqual(["", [], []]);
    expect(comparedArea).toMatchObject({
      only: [{ x: 8, height: expect.toSatisfy((px: number) => px < 40) }],
    });
  });

  test("remove ignored elements, lines and patterns from HTML, text and picture", async () => {
    const { snapshot: captured, comparedArea } = await captureWithRules("/calm", {
      ignore: [".ad", "nav", "Calm", "/\\d+ euro/"],
    });
    expect(captured.text.map((block) => block.text)).toEqual(["Price:", "one", "two", "Go"]);
    expect(captured.html).not.toMatch(/Buy now|First link|Calm page|10|euro/);
    const whole = await snapshot("/calm");
    expect(whole.html).toMatch(/Buy now[^]*<li>two/);
    // The advertisement, the content of the navigation, the heading, and the line with the price.
    expect(comparedArea?.only).toBeNull();
    expect(comparedArea?.hidden).toHaveLength(4);
    for (const box of comparedArea?.hidden ?? []) {
      expect(box.width).toBeGreaterThan(20);
      expect(box.y + box.height).toBeLessThan(whole.picture?.height ?? 0);
    }
  });
});

describe("files", () => {
  test.for<[string, string, unknown]>([
    ["/security.txt", "text", "Contact: mailto:security@example.com"],
    ["/data.json", "json", '{"a": [1, 2, {"b": "<script>alert(1)</script>"}]}'],
    ["/feed.xml", "xml", "<?xml version='1.0'?><feed><title>é</title></feed>"],
    ["/code.js", "javascript", "fetch('/never')"],
    ["/latin1.txt", "text", "café"],
    ["/document.pdf", "pdf", "Watched document"],
    ["/feed-as-html", "xml", expect.stringContaining("<title>É</title>")],
    ["/json-as-html", "json", '{"stock": "Out of stock"}'],
    ["/json-as-text", "json", '{"stock": "Out of stock"}'],
    ["/cyrillic.csv", "text", "ПРИВЕТ,ЦЕНА"],
    ["/nul.txt", "text", "a\0b"],
    ["/drawing.svg", "xml", expect.stringContaining("<svg")],
    ["/photo.png", "image", undefined],
    ["/unknown.bin", "other", "application/octet-stream"],
    ["/broken.png", "image", "image/png"],
    ["/attachment", "other", "application/octet-stream"],
  ])("%s is captured byte for byte, with a picture", async ([path, kind, text]) => {
    const captured = await snapshot(path);
    expect(captured.kind).toBe(kind);
    expect(captured.text[0]?.text).toEqual(text);
    const bytes = await (await fetch(testCapture.zoo.origin + path)).bytes();
    expect(sha256(captured.body)).toBe(sha256(bytes));
    expect((await sharp(captured.picture?.png).stats()).isOpaque).toBe(true);
    expect(captured.via).toBe("http");
    expect(testCapture.zoo.seen.map((each) => each.path)).not.toContain("/never");
  });

  test("an image's picture is the image", async () => {
    const { picture } = await snapshot("/photo.png");
    expect([picture?.width, picture?.height]).toEqual([200, 100]);
    const { dominant } = await sharp(picture?.png).stats();
    expect([dominant.r > 240, dominant.b < 20]).toEqual([true, true]);
  });

  test("an empty response has an empty picture", async () => {
    const captured = await snapshot("/empty");
    expect([captured.status, captured.text, captured.picture?.width]).toEqual([204, [], 1280]);
    expect((await snapshot("/bare-404")).status).toBe(404);
  });
});

describe("HTTP first", () => {
  async function evidence(path: string) {
    const result = await testCapture.capture(path);
    if (!result.ok) throw new Error(result.failure.message);
    return result.evidence;
  }

  test("an unchanged page without scripts needs no browser, except after nine such checks", async () => {
    let previous = await evidence("/static");
    const before = testCapture.pool.metrics.captures;
    for (let check = 0; check < 9; check++) {
      const result = await testCapture.capture("/static", { previous });
      expect(result).toMatchObject({ ok: true, unchanged: true, seen: { status: 304 } });
      if (result.ok) previous = result.evidence;
    }
    expect(testCapture.pool.metrics.captures).toBe(before);
    expect(await testCapture.capture("/static", { previous })).toMatchObject({ ok: true, unchanged: false });
    expect(testCapture.pool.metrics.captures).toBe(before + 1);
  });

  test("a page with text written by scripts always needs a browser", async () => {
    const previous = await evidence("/scripted");
    expect(previous.needsScript).toBe(true);
    expect(await testCapture.capture("/scripted", { previous })).toMatchObject({
      ok: true,
      unchanged: false,
    });
  });

  test("evidence learned with another URL, header or wait setting is not used", async () => {
    const previous = await evidence("/static");
    const result = await testCapture.capture("/static", { previous, waitFor: { selector: "h1" } });
    expect(result).toMatchObject({ ok: true, unchanged: false });
  });

  test("an unchanged file needs no browser", async () => {
    const previous = await evidence("/security.txt");
    expect(await testCapture.capture("/security.txt", { previous })).toMatchObject({
      ok: true,
      unchanged: true,
    });
  });
});

describe("failures", () => {
  test.for([
    ["/redirect-loop", "redirects"],
    ["/redirect-inside", "guard"],
    ["/go-inside", "guard"],
    ["http://127.0.0.1:9/", "guard"],
    ["http://nothing.invalid/", "dns"],
    ["file:///etc/passwd", "guard"],
    ["/broken.pdf", "no failure"],
  ])("%s: %s", async ([path = "", kind]) => {
    expect(await kindOfFailure(path)).toBe(kind);
    expect(testCapture.zoo.canary.hits).toEqual([]);
  });

  // Each is requested by the browser as a page and by plain HTTP as a file.
  test("R9 a document that ends early fails as cut, however its length was announced", async () => {
    const cuts = ["length", "chunks", "reset", "gzip", "gzip-sized", "br", "br-sized", "zstd", "deflate"];
    const paths = cuts.flatMap((cut) => [`/cut-${cut}`, `/cut-${cut}.txt`]);
    const message = "The server's answer ended early: only a part of it arrived.";
    const results = await Promise.all(paths.map(async (path) => [path, await testCapture.capture(path)]));
    const cut = { ok: false, failure: { kind: "cut", message }, snapshot: null };
    expect(results).toEqual(paths.map((path) => [path, cut]));
    // A cut transfer is tried once more, because a second attempt often succeeds.
    expect(testCapture.zoo.seen.filter(({ path }) => path === "/cut-gzip")).toHaveLength(2);
  });

  test("R9 a compressed document that arrives completely is captured completely", async () => {
    const codings = ["gzip", "gzip-sized", "br", "zstd", "deflate"];
    const captured = await Promise.all(codings.map((coding) => snapshot(`/whole-${coding}`)));
    for (const { text, truncated } of captured) {
      expect([text.length, text.at(-1)?.text.slice(0, 12), truncated]).toEqual([61, "Paragraph 59", false]);
    }
  });

  test("a refused connection fails as refused, and a server without TLS as tls", async () => {
    const closedSite = new URL(testCapture.zoo.other);
    expect(await kindOfFailure(testCapture.zoo.other.replace("http:", "https:"))).toBe("tls");
    await testCapture.zoo.closeOther();
    expect(await kindOfFailure(closedSite.href)).toBe("refused");
  });

  test("a login in place of the page fails as blocked, with its picture", async () => {
    const first = await testCapture.capture("/members");
    if (!first.ok) throw new Error(first.failure.message);
    testCapture.zoo.walled = true;
    const walled = await testCapture.capture("/members", { previous: first.evidence });
    expect(walled).toMatchObject({
      ok: false,
      failure: { kind: "blocked", message: "The site shows a login where the page was." },
      snapshot: { finalUrl: `${testCapture.zoo.origin}/login`, picture: { width: 1280 } },
    });
    // A login page that is itself under watch is not blocked.
    expect(await testCapture.capture("/login")).toMatchObject({ ok: true });
  });
});
