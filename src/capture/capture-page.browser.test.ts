import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import { noRules, type Rules } from "#detection/rules.ts";
import { readPlainPng } from "#storage/chains/plain-png.ts";
import type { CaptureResult } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture();
});
afterAll(() => it.close());
beforeEach(() => {
  it.zoo.seen.length = 0;
});

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

function snapshotOf(result: CaptureResult) {
  if (!result.ok) throw new Error(`expected a snapshot: ${result.failure.message}`);
  if (result.unchanged) throw new Error("expected a snapshot, not an unchanged body");
  return result.snapshot;
}

async function snapshot(...args: Parameters<TestCapture["capture"]>) {
  return snapshotOf(await it.capture(...args));
}

async function kindOfFailure(...args: Parameters<TestCapture["capture"]>) {
  const result = await it.capture(...args);
  return result.ok ? "no failure" : result.failure.kind;
}

describe("a page", () => {
  test("has asked its site for all it shows before it is drawn", async () => {
    const asked: number[] = [];
    await it.capture("/lazy", {}, { afterSite: () => void asked.push(it.zoo.seen.length) });
    expect(asked).toEqual([it.zoo.seen.length]);
    expect(it.zoo.seen.filter(({ path }) => path.startsWith("/slow.png"))).toHaveLength(7);
  });

  test("gives a complete snapshot", async () => {
    const seen = await snapshot("/calm");
    expect(seen).toMatchObject({
      finalUrl: `${it.zoo.origin}/calm`,
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
    expect(seen.text).toEqual([
      { role: "other", area: "nav", text: "First link" },
      { role: "heading", area: "main", text: "Calm page" },
      { role: "paragraph", area: "main", text: "Price: 10 euro" },
      { role: "paragraph", area: "main", text: "Buy now" },
      { role: "item", area: "main", text: "one" },
      { role: "item", area: "main", text: "two" },
      { role: "control", area: "main", text: "Go" },
    ]);
    expect(seen.links).toEqual([{ href: `${it.zoo.origin}/a`, text: "First link" }]);
    expect(seen.forms).toEqual([
      {
        action: `${it.zoo.origin}/send`,
        method: "post",
        inputs: [
          { name: "action", type: "text" },
          { name: "pw", type: "password" },
          { name: "", type: "submit" },
        ],
      },
    ]);
    expect(seen.scripts).toEqual([
      { src: `${it.zoo.origin}/calm.js`, sha256: sha256("console.error('said by calm.js')") },
    ]);
    expect(seen.cookies).toEqual([
      { name: "hidden", domain: "127.0.0.1", secure: false, httpOnly: true, sameSite: "" },
      { name: "plain", domain: "127.0.0.1", secure: false, httpOnly: false, sameSite: "Lax" },
    ]);
    expect(seen.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
    expect(Buffer.from(seen.body).toString()).toMatch(/^<!doctype html>.*<li>two<\/ul>/s);
    expect(seen.html).toMatch(/^<!DOCTYPE html><html>.*<li>two<\/li><\/ul>.*<\/html>$/s);
    expect(await sharp(seen.picture?.png).metadata()).toMatchObject({
      format: "png",
      width: 1280,
      height: 800,
    });
    expect(readPlainPng(seen.picture?.png ?? new Uint8Array(), 2 ** 26)).toMatchObject({ height: 800 });
    expect(Object.keys(seen.timing).sort()).toEqual(
      ["connect", "firstByte", "load", "picture", "ready", "total"].sort(),
    );
  });

  test("says where its pictures stand", async () => {
    const whole = (await snapshot("/lazy")).images ?? [];
    expect(whole).toHaveLength(7);
    expect(whole[1]).toMatchObject({
      src: `${it.zoo.origin}/slow.png?1`,
      box: { width: 200, height: 100 },
    });
  });

  test("of 12,000 paragraphs is taken whole", { timeout: 120_000 }, async () => {
    const seen = await snapshot("/huge-dom?n=12000");
    expect([seen.truncated, seen.text.length]).toEqual([false, 12_001]);
    expect(seen.html).toContain("paragraph 11999");
  });

  test("keeps the redirect chain", async () => {
    const seen = await snapshot("/moved");
    expect(seen.finalUrl).toBe(`${it.zoo.origin}/calm`);
    expect(seen.redirects).toEqual([
      { url: `${it.zoo.origin}/moved`, status: 301 },
      { url: `${it.zoo.origin}/moved-again`, status: 302 },
    ]);
  });

  test("with an error status is still a page", async () => {
    const seen = await snapshot("/nowhere");
    expect([seen.status, seen.text.map((block) => block.text)]).toEqual([404, ["No such page"]]);
  });

  test("names the foreign hosts it uses, and shows them no user header (E9)", async () => {
    const seen = await snapshot("/foreign", {
      headers: [
        ["X-Secret", "s3cret"],
        ["Cookie", "own=1"],
      ],
    });
    // Both sites are on 127.0.0.1 here, so that only the port tells them apart.
    expect(seen.thirdPartyHosts).toEqual([]);
    const told = it.zoo.seen.map(({ path, headers }) => [path, headers["x-secret"], headers.cookie]);
    expect(told).toContainEqual(["/foreign", "s3cret", "own=1"]);
    expect(told).toContainEqual(["/own.png", "s3cret", "own=1"]);
    expect(told).toContainEqual(["other:/foreign.png", undefined, undefined]);
    expect(told).toContainEqual(["other:/foreign.js", undefined, undefined]);
  });

  test("refuses headers that are not the user's to set (E9)", async () => {
    expect(await kindOfFailure("/calm", { headers: [["Host", "internal"]] })).toBe("guard");
    expect(it.zoo.seen).toEqual([]);
  });
});

describe("through a job's rules", () => {
  const see = async (path: string, rules: Partial<Rules>) =>
    applyRules(await snapshot(path), readRules({ ...noRules, ...rules }));

  test("a selector narrows HTML, text and picture", async () => {
    const { snapshot: seen, sight } = await see("/calm", { selector: "#price" });
    expect(seen.html.replace(/\s+/g, " ")).toBe(
      '<html><body><main><p id="price">Price: <b>10</b> euro</p></main></body></html>',
    );
    expect(seen.text).toEqual([{ role: "paragraph", area: "main", text: "Price: 10 euro" }]);
    expect([seen.title, seen.scripts, seen.thirdPartyHosts]).toEqual(["", [], []]);
    expect(sight).toMatchObject({ only: [{ x: 8, height: expect.toSatisfy((px: number) => px < 40) }] });
  });

  test("what is ignored is in nothing, by element, by line and by pattern", async () => {
    const { snapshot: seen, sight } = await see("/calm", { ignore: [".ad", "nav", "Calm", "/\\d+ euro/"] });
    expect(seen.text.map((block) => block.text)).toEqual(["Price:", "one", "two", "Go"]);
    expect(seen.html).not.toMatch(/Buy now|First link|Calm page|10|euro/);
    const whole = await snapshot("/calm");
    expect(whole.html).toMatch(/Buy now[^]*<li>two/);
    // The advertisement, what the navigation holds, the heading, and the line of the price.
    expect(sight?.only).toBeNull();
    expect(sight?.hidden).toHaveLength(4);
    for (const box of sight?.hidden ?? []) {
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
  ])("%s is taken exactly, with a picture", async ([path, kind, text]) => {
    const seen = await snapshot(path);
    expect(seen.kind).toBe(kind);
    expect(seen.text[0]?.text).toEqual(text);
    const bytes = await (await fetch(it.zoo.origin + path)).bytes();
    expect(sha256(seen.body)).toBe(sha256(bytes));
    expect((await sharp(seen.picture?.png).stats()).isOpaque).toBe(true);
    expect(seen.via).toBe("http");
    expect(it.zoo.seen.map((each) => each.path)).not.toContain("/never");
  });

  test("an image's picture is the image", async () => {
    const { picture } = await snapshot("/photo.png");
    expect([picture?.width, picture?.height]).toEqual([200, 100]);
    const { dominant } = await sharp(picture?.png).stats();
    expect([dominant.r > 240, dominant.b < 20]).toEqual([true, true]);
  });

  test("an empty answer has an empty picture", async () => {
    const seen = await snapshot("/empty");
    expect([seen.status, seen.text, seen.picture?.width]).toEqual([204, [], 1280]);
    expect((await snapshot("/bare-404")).status).toBe(404);
  });
});

describe("HTTP first", () => {
  async function evidence(path: string) {
    const result = await it.capture(path);
    if (!result.ok) throw new Error(result.failure.message);
    return result.evidence;
  }

  test("an unchanged page without script needs no browser, and is looked at again after nine such checks", async () => {
    let previous = await evidence("/static");
    const before = it.pool.metrics.captures;
    for (let check = 0; check < 9; check++) {
      const result = await it.capture("/static", { previous });
      expect(result).toMatchObject({ ok: true, unchanged: true, seen: { status: 304 } });
      if (result.ok) previous = result.evidence;
    }
    expect(it.pool.metrics.captures).toBe(before);
    expect(await it.capture("/static", { previous })).toMatchObject({ ok: true, unchanged: false });
    expect(it.pool.metrics.captures).toBe(before + 1);
  });

  test("a page that scripts write on always gets a browser", async () => {
    const previous = await evidence("/scripted");
    expect(previous.needsScript).toBe(true);
    expect(await it.capture("/scripted", { previous })).toMatchObject({ ok: true, unchanged: false });
  });

  test("evidence from another URL, header or waiting counts for nothing", async () => {
    const previous = await evidence("/static");
    const result = await it.capture("/static", { previous, waitFor: { selector: "h1" } });
    expect(result).toMatchObject({ ok: true, unchanged: false });
  });

  test("an unchanged file needs no browser", async () => {
    const previous = await evidence("/security.txt");
    expect(await it.capture("/security.txt", { previous })).toMatchObject({ ok: true, unchanged: true });
  });
});

describe("failures are values", () => {
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
    expect(it.zoo.canary.hits).toEqual([]);
  });

  // Each is asked for by the browser as a page and by plain HTTP as a file.
  test("R9 a document that ends early is cut, whatever said how long it is", async () => {
    const cuts = ["length", "chunks", "reset", "gzip", "gzip-sized", "br", "br-sized", "zstd", "deflate"];
    const paths = cuts.flatMap((cut) => [`/cut-${cut}`, `/cut-${cut}.txt`]);
    const message = "The server's answer ended early: only a part of it arrived.";
    const results = await Promise.all(paths.map(async (path) => [path, await it.capture(path)]));
    const cut = { ok: false, failure: { kind: "cut", message }, snapshot: null };
    expect(results).toEqual(paths.map((path) => [path, cut]));
    // A cut transfer is tried once more: it often passes.
    expect(it.zoo.seen.filter(({ path }) => path === "/cut-gzip")).toHaveLength(2);
  });

  test("R9 a packed document that arrives whole is taken whole", async () => {
    const codings = ["gzip", "gzip-sized", "br", "zstd", "deflate"];
    const seen = await Promise.all(codings.map((coding) => snapshot(`/whole-${coding}`)));
    for (const { text, truncated } of seen) {
      expect([text.length, text.at(-1)?.text.slice(0, 12), truncated]).toEqual([61, "Paragraph 59", false]);
    }
  });

  test("a refused connection and a server without TLS", async () => {
    const gone = new URL(it.zoo.other);
    expect(await kindOfFailure(it.zoo.other.replace("http:", "https:"))).toBe("tls");
    await it.zoo.closeOther();
    expect(await kindOfFailure(gone.href)).toBe("refused");
  });

  test("a login where the page was is blocked, with its picture", async () => {
    const first = await it.capture("/members");
    if (!first.ok) throw new Error(first.failure.message);
    it.zoo.walled = true;
    const walled = await it.capture("/members", { previous: first.evidence });
    expect(walled).toMatchObject({
      ok: false,
      failure: { kind: "blocked", message: "The site shows a login where the page was." },
      snapshot: { finalUrl: `${it.zoo.origin}/login`, picture: { width: 1280 } },
    });
    // A login page that is watched as such is no wall.
    expect(await it.capture("/login")).toMatchObject({ ok: true });
  });
});
