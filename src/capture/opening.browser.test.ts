import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageProxy } from "#network/proxy.ts";
import { startProxy, type TestProxy } from "#network/testing/start-proxy.ts";
import { parseAdHosts } from "./ad-hosts.ts";
import { type CaptureRequest, capture } from "./capture-page.ts";
import type { ProxyChoice } from "./proxy-choice.ts";
import { bannerPage, banners, bystanders, hostileBanners, traps } from "./testing/consent-zoo.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

// How the browser opens a page: device, visitor, consent banners, what isn't loaded, what is waited for.

let testCapture: TestCapture;
const proxies = {} as Record<"http" | "socks5", TestProxy>;
/** On a port where nobody answers. */
let deadProxy: PageProxy;
beforeAll(async () => {
  const credentials = { username: "ana", password: "s3cret" };
  const protocols = ["http", "socks5"] as const;
  const started = await Promise.all(protocols.map((protocol) => startProxy({ protocol, credentials })));
  for (const [at, protocol] of protocols.entries()) proxies[protocol] = started[at] as TestProxy;
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  deadProxy = { protocol: "http", host: "127.0.0.1", port, looksUpNames: false };
  testCapture = await openCapture(
    { concurrency: 4 },
    {},
    [...started, deadProxy].map(({ port }) => port),
  );
});
afterAll(() => Promise.all([testCapture.close(), ...Object.values(proxies).map((proxy) => proxy.stop())]));

async function take(html: string, request: Partial<CaptureRequest> = {}) {
  const path = `/given-${testCapture.zoo.given.size}`;
  testCapture.zoo.given.set(path, html);
  const result = await testCapture.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  return result;
}

describe.concurrent("consent banners", () => {
  const byHiding = [
    "an own banner that offers no rejection",
    "a banner that rejects only after settings",
    "a wall that sells the way around",
    "a banner whose button leaves the page",
    "a banner that stays when it is rejected",
    "a banner that locks the page",
  ];
  const answerOf = (html: string) => /<html[^>]* data-answer="(\w+)"/.exec(html)?.[1];

  // The same way as the other makers' banners. consent-library.test.ts shows that the library has a sign for each.
  const otherMakers =
    "klaro complianz osano iubenda cookieyes tarteaucitron pandectes fides termsfeed hubspot".split(" ");
  const more = [
    ...otherMakers,
    "cookie script",
    "moove (WordPress)",
    "cookieconsent 2",
    "cookieconsent 3",
    "funding choices",
  ];
  const answered = Object.keys(banners).filter(
    (name) => process.env.TEST_SIZE === "long" || !more.includes(name),
  );
  test.for(answered)("%s is answered, and nothing else is clicked", async (name) => {
    // Without a header over the page, which would be looked at in any case.
    const html = bannerPage(banners[name] ?? { html: "" }).replace("position:sticky", "");
    const { snapshot } = await take(html);
    const isHidden = byHiding.includes(name);
    expect([snapshot.consent?.action, snapshot.consent?.result, answerOf(snapshot.html)]).toEqual(
      isHidden ? ["hide", "done", undefined] : ["reject", "done", "reject"],
    );
    const words = snapshot.text.map((block) => block.text).join("\n");
    expect(words).toContain("Paragraph 11 of a story");
    expect(words).toContain("Buy now");
    expect(words).not.toMatch(/similar technologies|verwenden Cookies|utilise|uses cookies|your privacy/);
  });
});

describe.concurrent("a hostile consent banner", () => {
  test.for(Object.keys(hostileBanners))("B4 with %s gets no click outside of itself", async (name) => {
    const { snapshot } = await take(bannerPage(hostileBanners[name] ?? { html: "" }));
    expect(/ data-answer="(\w+)"/.exec(snapshot.html)?.[1]).toBeUndefined();
    expect(snapshot.text.map(({ text }) => text).join("\n")).toContain("Paragraph 11 of a story");
  });
});

test.concurrent.for(Object.keys(traps))("%s: it isn't clicked, under no answer", async (name) => {
  const html = bannerPage({ html: traps[name] ?? "" });
  const [path, other] = [`/trap-${Object.keys(traps).indexOf(name)}`, "other.test"];
  testCapture.zoo.given.set(path, html);
  const answers = ["reject", "accept"] as const;
  for (const consent of answers) {
    const result = await testCapture.capture(path, { browser: { consent } });
    if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
    const { snapshot } = result;
    expect([new URL(snapshot.finalUrl).pathname, snapshot.html]).toEqual([
      path,
      expect.not.stringContaining('data-answer="'),
    ]);
    expect(snapshot.blocked.map(({ url }) => new URL(url).hostname)).not.toContain(other);
    expect(snapshot.text.map(({ text }) => text)).toContain(
      "Paragraph 11 of a story that people want to read.",
    );
  }
});

test.concurrent.for(Object.keys(bystanders))("%s is no consent banner and stays", async (name) => {
  const { snapshot } = await take(bannerPage({ html: bystanders[name] ?? "" }));
  expect(snapshot.consent).toBeUndefined();
  expect(snapshot.text.map(({ text }) => text).join("\n")).toContain("Prices of everything");
});

describe.concurrent("the choices for a consent banner", () => {
  const own = bannerPage(banners["an own banner, in English"] ?? { html: "" });

  test("a banner is accepted, or left with its words", async () => {
    const [accepted, left] = await Promise.all([
      take(own, { browser: { consent: "accept" } }),
      take(own, { browser: { consent: "leave" } }),
    ]);
    expect(accepted.snapshot).toMatchObject({ consent: { action: "accept", result: "done" } });
    expect(accepted.snapshot.html).toContain('data-answer="accept"');
    expect(left.snapshot.consent).toBeUndefined();
    expect(left.snapshot.text.map(({ text }) => text)).toContain("Reject all");
  });

  test("the capture keeps the banner's words and the rules' version, and its evidence what happened", async () => {
    const { snapshot, evidence } = await take(own);
    expect(snapshot.consent).toMatchObject({
      rule: "HEURISTIC-REJECT",
      version: expect.stringMatching(/^\d+\./),
    });
    expect(snapshot.consent?.text).toContain("We use cookies");
    expect(evidence.consent).toEqual({
      rule: "HEURISTIC-REJECT",
      action: "reject",
      result: "done",
    });
  });

  test("two captures of a page whose banner is hidden are byte-identical", async () => {
    const html = bannerPage(banners["a banner that locks the page"] ?? { html: "" });
    const [one, other] = [await take(html), await take(html)];
    expect(one.snapshot.html).toBe(other.snapshot.html);
    expect(one.snapshot.html).not.toMatch(/display: ?none/);
    expect(
      Buffer.compare(one.snapshot.picture?.png ?? Buffer.of(), other.snapshot.picture?.png ?? Buffer.of(1)),
    ).toBe(0);
  });
});

describe.concurrent("device and visitor", () => {
  const report = `<!doctype html><meta name="viewport" content="width=device-width"><style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>
    <p id="what"></p><script>
    const say = (query) => matchMedia(query).matches;
    what.textContent = JSON.stringify({
      width: innerWidth, pixels: devicePixelRatio, touch: navigator.maxTouchPoints, agent: navigator.userAgent,
      hints: [navigator.userAgentData.mobile, navigator.userAgentData.platform], languages: navigator.languages,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(),
      screen: screen.width, platform: navigator.platform, coarse: say("(pointer: coarse)"),
      dark: say("(prefers-color-scheme: dark)"), still: say("(prefers-reduced-motion: reduce)"),
    });</script>`;
  async function describeVisitor(browser: CaptureRequest["browser"]) {
    const { snapshot } = await take(report, { browser: browser ?? null });
    const [first] = snapshot.text;
    const path = new URL(snapshot.finalUrl).pathname;
    const asked = testCapture.zoo.seen.findLast((request) => request.path === path)?.headers;
    return { ...JSON.parse(first?.text ?? "{}"), asked, picture: snapshot.picture };
  }

  test("without settings it is a desktop in English", async () => {
    expect(await describeVisitor(null)).toMatchObject({
      width: 1280,
      pixels: 1,
      touch: 0,
      coarse: false,
      platform: "Linux x86_64",
      hints: [false, "Linux"],
      languages: ["en-US"],
      dark: false,
      still: true,
      picture: { width: 1280 },
    });
  });

  test("a phone has its screen, touch, user agent and client hints, and a picture in the page's own pixels", async () => {
    const phone = await describeVisitor({ device: "phone", colorScheme: "dark", motion: "full" });
    expect(phone).toMatchObject({
      width: 412,
      screen: 412,
      pixels: 2.625,
      touch: 5,
      coarse: true,
      platform: "Linux armv81",
      hints: [true, "Android"],
      dark: true,
      still: false,
      picture: { width: 412 },
      asked: { "user-agent": phone.agent, "sec-ch-ua-mobile": "?1", "sec-ch-ua-platform": '"Android"' },
    });
    expect(phone.agent).toMatch(/Android 10; K.* Mobile Safari/);
    const { width, height } = await sharp(phone.picture.png).metadata();
    expect([width, height]).toEqual([412, phone.picture.height]);
  });

  test("a tablet is Android without being mobile", async () => {
    const tablet = await describeVisitor({ device: "tablet", colorScheme: "dark" });
    expect(tablet).toMatchObject({
      width: 820,
      screen: 820,
      pixels: 2,
      touch: 5,
      hints: [false, "Android"],
      // A dark page doesn't begin to move.
      dark: true,
      still: true,
      picture: { width: 820 },
      asked: { "user-agent": tablet.agent, "sec-ch-ua-mobile": "?0", "sec-ch-ua-platform": '"Android"' },
    });
    expect(tablet.agent).not.toContain("Mobile");
  });

  test("language and time zone apply to requests and to scripts", async () => {
    expect(await describeVisitor({ language: "de-DE", timeZone: "Asia/Tokyo" })).toMatchObject({
      languages: ["de-DE", "de"],
      zone: "Asia/Tokyo",
      number: "1.234,5",
      asked: { "accept-language": "de-DE,de;q=0.9" },
    });
  });

  test("a page without a viewport tag is pictured in full width on a phone", async () => {
    const { snapshot } = await take(`<!doctype html><div style="width:900px">Wide</div>`, {
      browser: { device: "phone" },
    });
    expect(snapshot.picture?.width).toBeGreaterThan(900);
  });
});

describe.concurrent("loading", () => {
  test("images, fonts and media that are blocked are not asked for", async () => {
    const html = `<!doctype html><style>@font-face{font-family:f;src:url(/late.ttf)}</style><p style="font-family:f">Words</p><img src="/photo.png?blocked">`;
    const asked = () => testCapture.zoo.seen.filter(({ path }) => path === "/photo.png?blocked").length;
    const { snapshot } = await take(html, { browser: { block: ["images", "fonts"] } });
    expect([snapshot.text[0]?.text, asked()]).toEqual(["Words", 0]);
    await take(html);
    expect(asked()).toBe(1);
  });

  test("ads by the operator's list aren't asked for, wherever they are; the page's own site always is", async () => {
    const host = new URL(testCapture.zoo.origin).hostname;
    const adHosts = parseAdHosts(
      `0.0.0.0 ads.test\n||banners.test^\n@@||fine.banners.test^\n${host}.example`,
    );
    const port = new URL(testCapture.zoo.origin).port;
    const html = `<!doctype html><p>Words</p><img src="/photo.png?own">${[
      "ads.test",
      "x.ads.test",
      "a.banners.test",
      "fine.banners.test",
      "notads.test",
    ]
      .map((name) => `<script src="http://${name}:${port}/ad.js?${name}"></script>`)
      .join("")}`;
    const path = "/with-ads";
    testCapture.zoo.given.set(path, html);
    const takeWith = async (block: ("ads" | "fonts")[]) => {
      const path = `/with-ads-${block.join()}`;
      testCapture.zoo.given.set(path, html.replaceAll("?", `?${block.join()}-`));
      const { ok } = await capture(
        { ...testCapture.deps, adHosts },
        { url: testCapture.zoo.origin + path, browser: { block } },
      );
      const asked = testCapture.zoo.seen.map((each) => each.path.split(`?${block.join()}-`)[1] ?? "");
      return [ok, asked.filter(Boolean).sort()];
    };
    const others = ["fine.banners.test", "notads.test", "own"];
    expect(await takeWith(["ads"])).toEqual([true, others]);
    expect(await takeWith(["fonts"])).toEqual([
      true,
      ["a.banners.test", "ads.test", ...others, "x.ads.test"],
    ]);
  });

  test("the capture waits until the page makes no requests", async () => {
    // One request after the other, for longer than a capture waits otherwise.
    const html = `<!doctype html><p id="a">first</p><script>let asked = 0; const ask = async () => {
      await fetch("/slow.html?quiet" + ++asked); a.textContent = "request " + asked; if (asked < 4) ask() };
      ask()</script>`;
    const wordsOf = async (waitFor: CaptureRequest["waitFor"]) =>
      (await take(html, { waitFor: waitFor ?? null })).snapshot.text.map(({ text }) => text);
    expect(await wordsOf({ quiet: true })).toEqual(["request 4"]);
  });

  test("the capture waits for words and for an element that is shown", async () => {
    const html = (ms: number) =>
      `<!doctype html><p id="a" hidden>hidden first</p><script>setTimeout(() => { a.hidden = false; a.textContent = "Price: 20 €" }, ${ms})</script>`;
    const wordsOf = async (waitFor: CaptureRequest["waitFor"]) =>
      (await take(html(waitFor ? 6_500 : 60_000), { waitFor: waitFor ?? null })).snapshot.text.map(
        ({ text }) => text,
      );
    const all = [wordsOf({ text: "price: 20" }), wordsOf({ selector: "#a" }), wordsOf(null)];
    expect(await Promise.all(all)).toEqual([["Price: 20 €"], ["Price: 20 €"], []]);
  });

  test("scrolling to the end loads what a page adds on the way", async () => {
    const html = `<!doctype html><div style="height:900px">Top</div><script>
      let added = 0;
      addEventListener("scroll", () => { if (added < 3 && scrollY + innerHeight >= document.body.scrollHeight - 50) setTimeout(() => {
        document.body.insertAdjacentHTML("beforeend", "<p style='height:900px'>More " + ++added + "</p>") }, 100) });</script>`;
    const words = async (scroll: boolean) =>
      (await take(html, { browser: { scroll } })).snapshot.text.map(({ text }) => text);
    expect(await words(true)).toContain("More 3");
    expect(await words(false)).not.toContain("More 1");
  });
});

describe.concurrent("proxies", () => {
  const page = `<!doctype html><p>Words</p><img src="/photo.png?by-proxy">`;
  const wayBy = (name: string, proxy: PageProxy): ProxyChoice => ({ id: name, name, proxy });
  async function takeBy(...ways: ProxyChoice[]) {
    const path = `/by-${ways.map(({ name }) => name).join("-")}`;
    testCapture.zoo.given.set(path, page);
    return testCapture.capture(path, { proxies: ways });
  }

  test.for(["http", "socks5"] as const)("the browser captures a page through %s", async (protocol) => {
    const { proxy, asked } = proxies[protocol];
    const before = asked.length;
    expect(await takeBy(wayBy(protocol, proxy))).toMatchObject({
      ok: true,
      snapshot: { via: "browser", text: [{ text: "Words" }] },
      evidence: { proxy: protocol },
      proxyUses: [{ name: protocol, problem: null, ms: expect.any(Number) }],
    });
    // Other tests use the proxy at the same time.
    const host = new URL(testCapture.zoo.origin).host;
    await expect.poll(() => asked.slice(before)).toContain(host);
  });

  test("the next one is used only if those before it are down, and the capture says which", async () => {
    const wrong = { ...proxies.socks5.proxy, credentials: { username: "ana", password: "wrong" } };
    const ways = [wayBy("dead", deadProxy), wayBy("wrong", wrong), wayBy("spare", proxies.http.proxy)];
    expect(await takeBy(...ways, wayBy("unused", proxies.socks5.proxy))).toMatchObject({
      ok: true,
      evidence: { proxies: ["dead", "wrong", "spare", "unused"], proxy: "spare" },
      proxyUses: [
        { name: "dead", problem: "refused" },
        { name: "wrong", problem: "credentials" },
        { name: "spare", problem: null },
      ],
    });
  });

  test("one that is dead is down, not the site; a site that is down is the site's failure", async () => {
    expect(await takeBy(wayBy("dead", deadProxy))).toMatchObject({
      failure: { kind: "proxy", message: "The proxy is down. “dead”: it refused or dropped the connection." },
    });
    const gone = await testCapture.capture(`http://127.0.0.1:${deadProxy.port}/`, {
      proxies: [wayBy("works", proxies.http.proxy)],
    });
    expect(gone).toMatchObject({ failure: { kind: "refused" }, proxyUses: [{ problem: null }] });
  });

  test.for<[string, Partial<PageProxy>]>([
    ["this machine", { port: 22 }],
    ["a private address", { host: "10.0.0.1", port: 1080 }],
    ["cloud metadata", { host: "169.254.169.254", port: 80 }],
    ["a name inside", { host: "proxy.internal", port: 1080 }],
  ])("E5 one that leads to %s is never asked", async ([name, part]) => {
    const way = wayBy(name, { ...proxies.http.proxy, ...part });
    expect(await takeBy(way)).toMatchObject({
      failure: { kind: "proxy", message: expect.stringMatching(/address may not be used|public address/) },
    });
  });

  test("E5 a private target isn't asked for through one, in the browser either", async () => {
    const { asked, proxy } = proxies.http;
    const { port } = new URL(testCapture.zoo.canary.origin);
    const html = `<!doctype html><p>Words</p><img src="http://10.0.0.1/a.png"><img src="http://127.0.0.1:${port}/b.png">`;
    testCapture.zoo.given.set("/inward", html);
    const result = await testCapture.capture("/inward", { proxies: [wayBy("inward", proxy)] });
    expect(result).toMatchObject({
      ok: true,
      snapshot: { blocked: [{ reason: "guard" }, { reason: "guard" }] },
    });
    expect(asked.filter((host) => host.startsWith("10.") || host.endsWith(`:${port}`))).toEqual([]);
  });
});
