import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CaptureRequest } from "./capture-page.ts";
import { bannerPage, banners, hostileBanners } from "./testing/consent-zoo.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

// How the browser opens a page: device, visitor, consent banners, what isn't loaded, what is waited for.

let testCapture: TestCapture;
beforeAll(async () => {
  testCapture = await openCapture({ concurrency: 4 });
});
afterAll(() => testCapture.close());

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
    "a banner that locks the page",
  ];
  const answerOf = (html: string) => /<html[^>]* data-answer="(\w+)"/.exec(html)?.[1];

  test.for(Object.keys(banners))("%s is answered, and nothing else is clicked", async (name) => {
    const { snapshot } = await take(bannerPage(banners[name] ?? { html: "" }));
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
      touch: 5,
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
    const tablet = await describeVisitor({ device: "tablet" });
    expect(tablet).toMatchObject({
      width: 820,
      pixels: 2,
      hints: [false, "Android"],
      picture: { width: 820 },
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

  test("the capture waits for words and for an element that is shown", async () => {
    const html = (ms: number) =>
      `<!doctype html><p id="a" hidden>hidden first</p><script>setTimeout(() => { a.hidden = false; a.textContent = "Price: 20 €" }, ${ms})</script>`;
    const wordsOf = async (waitFor: CaptureRequest["waitFor"]) =>
      (await take(html(6_500), { waitFor: waitFor ?? null })).snapshot.text.map(({ text }) => text);
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
