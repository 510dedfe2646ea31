import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type WallKind, wallAdvice, wallKinds } from "#contract/wall.ts";
import { startProxy } from "#network/testing/start-proxy.ts";
import { page, startRealCaptures } from "./testing/real-captures.ts";

// How the browser opens a page, from the API through real captures to what the job shows and alerts.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let product: Awaited<ReturnType<typeof startRealCaptures>>;
beforeAll(async () => {
  product = await startRealCaptures();
});
afterAll(() => product.close());

const report = page(
  `<p id="a"></p><p id="b"></p><p id="c"></p><p id="d"></p><script>
    const is = (query) => matchMedia(query).matches;
    a.textContent = ["screen", innerWidth, screen.width, devicePixelRatio, navigator.maxTouchPoints, is("(pointer: coarse)")].join(" ");
    b.textContent = ["look", is("(prefers-color-scheme: dark)"), is("(prefers-reduced-motion: reduce)")].join(" ");
    c.textContent = ["visitor", navigator.languages.join(), Intl.DateTimeFormat().resolvedOptions().timeZone].join(" ");
    d.textContent = ["browser", /Mobile/.test(navigator.userAgent), navigator.userAgentData.mobile, navigator.userAgentData.platform].join(" ");
  </script>`,
  '<title>Device</title><meta name="viewport" content="width=device-width">',
);

test.concurrent("a group's device, look and visitor reach page and server, and a clone is another device", async () => {
  const world = await product.open();
  const { body: group } = await world.call("POST", "/api/jobs/groups", { name: "Phones" });
  const browser = {
    device: "phone",
    colorScheme: "dark",
    motion: "full",
    language: "de-DE",
    timeZone: "Asia/Tokyo",
  };
  await world.call("PUT", `/api/jobs/groups/${group.id}/settings`, { browser });
  const { id, site } = await world.watch({ groupId: group.id }, [report]);
  expect(await world.textOf(id)).toBe(
    "screen 412 412 2.625 5 true\nlook true false\nvisitor de-DE,de Asia/Tokyo\nbrowser true true Android",
  );
  expect(site.asked[0]?.headers).toMatchObject({
    "user-agent": expect.stringMatching(/Android 10; K.* Mobile Safari/),
    "sec-ch-ua-mobile": "?1",
    "sec-ch-ua-platform": '"Android"',
    "accept-language": "de-DE,de;q=0.9",
  });
  const { body: clone } = await world.call("POST", `/api/jobs/${id}/clone`);
  const { id: copy } = clone.job as unknown as { id: string };
  await world.execution(copy, 1);
  // What the job doesn't say is as in its group.
  await world.call("PATCH", `/api/jobs/${copy}`, { browser: { device: "tablet", colorScheme: "light" } });
  await world.run(copy);
  expect(await world.textOf(copy)).toBe(
    "screen 820 820 2 5 true\nlook false false\nvisitor de-DE,de Asia/Tokyo\nbrowser false false Android",
  );
  expect((await world.call("GET", `/api/jobs/${copy}`)).body).toMatchObject({ url: site.url });
});

test.concurrent("the page is waited for and scrolled, and what is blocked isn't loaded", async () => {
  const world = await product.open();
  const html = page(
    `<style>@font-face{font-family:f;src:url(/a.ttf)}p{font-family:f}</style><img src="/a.png"><video src="/a.mp4" preload="auto"></video>
     <p id="late" hidden>Price: 20 €</p><div style="height:1500px"></div><p id="more"></p><script>
       setTimeout(() => { late.hidden = false }, 6200);
       addEventListener("scroll", () => { if (scrollY > 300) more.textContent = "More at the end" });
     </script>`,
  );
  const settings = {
    waitFor: { selector: "#late", text: "price: 20", quiet: true, seconds: 1 },
    browser: { scroll: true, block: ["images", "fonts", "media"] },
  };
  const { id, site, first } = await world.watch(settings, [html]);
  expect(first.error).toBeNull();
  expect(await world.textOf(id)).toBe("Price: 20 €\nMore at the end");
  expect(site.asked.map(({ path }) => path).filter((path) => /\.(?:png|ttf|mp4)/.test(path))).toEqual([]);
});

const banner = (words: string, more = "") =>
  `<div id="cookie-banner" role="dialog" style="position:fixed;inset:auto 0 0 0;background:#fff;padding:20px">
   <p>We use cookies for ${words}.</p>
   <button onclick="fetch('/rejected');document.querySelector('#cookie-banner').remove()">Reject all</button>
   <button>Accept all</button>${more}</div>`;
const story = "<p>Paragraph of a story</p><button onclick=\"document.title='bought'\">Buy now</button>";

test.concurrent("a banner is rejected at every capture and no change, and its own words are watched by choice", async () => {
  const world = await product.open();
  const pages = ["statistics", "advertising and profiles"].map((words) => page(story + banner(words)));
  const grown = page(`${story}<p>The story goes on.</p>${banner("anything else")}`);
  const job = await world.watch({}, [...pages, grown], { "/rejected": "" });
  expect(await world.textOf(job.id)).not.toContain("cookies");
  expect(await job.check()).toMatchObject({ changed: false, error: null, deliveries: [] });
  const changed = await job.check();
  expect(changed.summary).toMatch(/^“The story goes on.” added; Looks \d+% different$/);
  const { body: log } = await world.call("GET", `/api/jobs/${job.id}/logs`);
  expect(JSON.stringify(log)).toContain("Consent banner rejected (HEURISTIC-REJECT)");
  // The captures that confirm are opened like those that they confirm.
  const times = (wanted: string) => job.site.asked.filter(({ path }) => path === wanted).length;
  expect(times("/rejected")).toBe(times("/watched"));
  expect(times("/rejected")).toBeGreaterThan(3);
  const watched = await world.watch({ browser: { consent: "leave" }, selector: "#cookie-banner" }, pages);
  const { text } = await world.alertOf(await watched.check());
  expect(text).toContain("advertising and profiles");
});

test.concurrent("a banner that leaves the page or buys something is hidden, and nothing of that is clicked", async () => {
  const world = await product.open();
  const away = `<a href="/elsewhere">Reject all and go on</a><button onclick="document.title='bought'">Accept and subscribe now</button>`;
  const hostile = banner("statistics", away)
    .replace(/<button onclick[^]*?<\/button>/, "")
    .replace("<button>Accept all</button>", "");
  const { id, site, first } = await world.watch({}, [page(story + hostile)], {
    "/elsewhere": page("Elsewhere"),
  });
  expect(first.error).toBeNull();
  expect(site.asked.map(({ path }) => path)).not.toContain("/elsewhere");
  const { raw } = await world.call("GET", `/api/jobs/${id}/executions/${first.id}/html`);
  expect(raw.toString()).toContain("<title>Watched</title>");
  expect(await world.textOf(id)).toContain("Paragraph of a story");
});

test.concurrent("proxies in their order, as processes: their health, the page through them, and all of them down", async () => {
  const world = await product.open();
  const [socks, http] = await Promise.all([
    startProxy({ protocol: "socks5", credentials: { username: "ana", password: "s3cret" } }),
    startProxy({ protocol: "http" }),
  ]);
  const add = async (name: string, more: object) => {
    const settings = { protocol: "http", host: "127.0.0.1", username: "", password: null, echoUrl: null };
    const { body } = await world.call("POST", "/api/proxies", { ...settings, name, ...more });
    return (body.proxy as unknown as { id: string }).id;
  };
  const spare = { protocol: "socks5", port: socks.port, username: "ana", password: "s3cret" };
  const proxies = [await add("First", { port: http.port }), await add("Spare", spare)];
  const refused = "It is down: it refused or dropped the connection.";
  const health = async () => {
    const { body } = await world.call("GET", "/api/proxies");
    return (body.proxies as unknown as { name: string; problem: string | null }[])
      .map(({ name, problem }) => `${name}: ${problem}`)
      .sort();
  };
  const settings = { proxies, tellFailures: { down: 1, gone: 1 } };
  const job = await world.watch(settings, [page("<p>One</p>"), page("<p>Two</p>")]);
  const { host } = new URL(job.site.url);
  expect([http.asked.includes(host), socks.asked.includes(host)]).toEqual([true, false]);
  await http.stop();
  const changed = await job.check();
  expect(changed.error).toBeNull();
  expect([socks.asked.includes(host), await health()]).toEqual([true, [`First: ${refused}`, "Spare: null"]]);
  await socks.stop();
  const down = await job.check(1);
  expect(down.error).toMatch(/“First”.*“Spare”/s);
  expect((await world.alertOf(down)).text).toMatch(/prox(?:y|ies)/i);
  expect(await health()).toEqual([`First: ${refused}`, `Spare: ${refused}`]);
});

/** What each site shows in place of its page. */
const walls: Record<WallKind, { title: string; body: string; status?: number }> = {
  "bot-wall": {
    title: "Just a moment...",
    body: `<h1>Just a moment...</h1><p>Checking your browser before accessing the site.</p>
      <div class="cf-turnstile"></div><form id="challenge-form"></form>`,
    status: 403,
  },
  captcha: { title: "Security check", body: "<p>Press & Hold to confirm you are a human.</p>" },
  login: {
    title: "Sign in",
    body: `<h1>Sign in</h1><form action="/login" method="post"><input name="name"><input type="password"><button>Sign in</button></form>`,
  },
  "geo-block": { title: "Lamps", body: "<p>This service is not available in your country.</p>" },
  "rate-limit": { title: "Too many requests", body: "<p>Rate limit exceeded. Please try again later.</p>" },
  maintenance: { title: "Maintenance", body: "<p>We’ll be back soon!</p>", status: 503 },
  error: { title: "Oops!", body: "<p>An unexpected error has occurred. Try reloading the page.</p>" },
  parked: {
    title: "Domain for sale",
    body: `<p>This domain is for sale. Buy this domain.</p>`,
  },
  missing: { title: "404", body: "<p>The page you are looking for doesn’t exist.</p>" },
  empty: { title: "Lamps", body: `<div id="root"></div><script src="/app.js"></script>` },
};

test.concurrent.for(wallKinds)(
  "a wall over several checks (%s) is alerted once and on recovery, and is never a baseline",
  async (kind) => {
    const world = await product.open();
    const shop = (price: number) =>
      page(`<h1>Lamps</h1><p>Price ${price} €</p><p>${"Words about lamps. ".repeat(80)}</p>`);
    const { title, body: html, status = 200 } = walls[kind];
    const wall = { status, body: page(html, `<title>${title}</title>`) };
    const settings = { tellFailures: { down: 1, gone: 1 } };
    const job = await world.watch(settings, [shop(5), wall, wall, shop(6)]);
    const blocked = await job.check();
    expect(blocked).toMatchObject({ changed: false, error: expect.any(String) });
    const { body } = await world.call("GET", `/api/jobs/${job.id}`);
    expect(body.trouble).toMatchObject({ kind: "wall", message: blocked.error, advice: wallAdvice[kind] });
    await world.alertOf(blocked);
    expect(await job.check()).toMatchObject({ changed: false, deliveries: [] });
    // Compared with the last page before the wall.
    const back = await job.check();
    expect(back.summary).toContain("5 € → 6 €");
    await world.alertOf(back);
    await product.waitFor("the recovery", async () => {
      const mails = await product.mailsTo(world.email);
      return mails.some(({ text }) => text.includes(job.site.url) && text.includes("reachable again"));
    });
    const { body: feed } = await world.call("GET", "/api/notifications");
    const notices = feed.notifications as unknown as { kind: string }[];
    expect(notices.map(({ kind: each }) => each).sort()).toEqual(["change", "failing", "recovered"]);
  },
);
