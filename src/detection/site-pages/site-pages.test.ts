import { expect, test } from "vitest";
import { containsPattern, matchesPattern } from "./address-pattern.ts";
import { familyOf, identityOf, isCircular, toPageAddress } from "./page-address.ts";
import { isAllowedByRobots, readRobots } from "./read-robots.ts";
import { readSitePage } from "./read-site-page.ts";
import { readSiteList } from "./read-sitemap.ts";

const base = "https://shop.example/dir/page";

test.for<[href: string, address: string | null]>([
  ["../a#part", "https://shop.example/a"],
  ["//Other.Example./x", "https://other.example/x"],
  ["?utm_source=mail&b=2&gclid=1", "https://shop.example/dir/page?b=2"],
  ["/cart;jsessionid=1A2B?PHPSESSID=x", "https://shop.example/cart"],
  ["mailto:ana@shop.example", null],
  ["javascript:alert(1)", null],
  ["https://ana:secret@shop.example/", null],
  ["http://[bad", null],
  ["/ü?q=%zz", "https://shop.example/%C3%BC?q=%zz"],
  [`/${"x".repeat(5000)}`, null],
])("%s leads to %s", ([href, address]) => {
  expect(toPageAddress(href, base)).toBe(address);
});

test.for<[one: string, other: string, isSame: boolean]>([
  ["http://shop.example/a", "https://www.shop.example/a/", true],
  ["https://shop.example/dir/index.html", "https://shop.example/dir/", true],
  ["https://shop.example/?b=1&a=2", "https://shop.example/?a=2&b=1", true],
  ["https://shop.example/%7eana%2f", "https://shop.example/~ana%2F", true],
  ["https://shop.example/A", "https://shop.example/a", false],
  ["https://shop.example/?a=1", "https://shop.example/?a=2", false],
  ["https://shop.example:8080/a", "https://shop.example/a", false],
])("%s and %s are one page: %s", ([one, other, isSame]) => {
  expect(identityOf(one) === identityOf(other)).toBe(isSame);
});

test("addresses that differ in numbers, dates or parameters are a family; others have none", () => {
  expect(familyOf("https://shop.example/item/12")).toBe("shop.example/item/{n}");
  expect(familyOf("https://shop.example/2026-11-19/day")).toBe("shop.example/{date}/day");
  expect(familyOf("https://shop.example/list?page=2")).toBe("shop.example/list?");
  expect(familyOf("https://shop.example/s/3f9a2b7c1d")).toBe("shop.example/s/{id}");
  expect(familyOf("https://shop.example/about-us")).toBeNull();
});

test("paths that go round in circles are recognized; ordinary ones aren't", () => {
  expect(isCircular("https://shop.example/a/b/a/b/a/b")).toBe(true);
  expect(isCircular("https://shop.example/x/x/x")).toBe(true);
  expect(isCircular(`https://shop.example/${"d/".repeat(21)}`)).toBe(true);
  expect(isCircular("https://shop.example/2026/11/19/news/2026")).toBe(false);
});

test.for<[pattern: string, path: string, matches: boolean]>([
  ["/private", "/private/x", true],
  ["/private$", "/private/x", false],
  ["/*.php$", "/a/b.php", true],
  ["/*.php$", "/a/b.php?x", false],
  ["*sort=", "/list?sort=price", true],
  ["/a*a*a*a*a*a*a$", `/${"a".repeat(2000)}b`, false],
])("pattern %s on %s: %s", ([pattern, path, matches]) => {
  expect(matchesPattern(pattern, path)).toBe(matches);
});

test.each<[pattern: string, text: string, contains: boolean]>([
  ["", "https://shop.example/", true],
  ["/account", "https://shop.example/account?from=login", true],
  ["shop*/orders*page=2", "https://shop.example/orders?page=2&x", true],
  ["page*orders", "https://shop.example/orders?page=2", false],
  ["a.b", "https://shop.example/aXb", false],
  [`${"a*".repeat(1_000)}b`, "a".repeat(100_000), false],
])("the text contains %.40s", (pattern, text, contains) => {
  expect(containsPattern(pattern, text)).toBe(contains);
});

test("robots.txt is read as its standard says", () => {
  const robots = readRobots(
    [
      "Sitemap: https://shop.example/sitemap.xml # the only one",
      "User-agent: other",
      "Disallow: /",
      "",
      "user-agent: Watchglass",
      "user-agent: friend",
      "Disallow: /private",
      "Allow: /private/open",
      "Crawl-delay: 2.5",
      "Disallow:",
      "User-agent: *",
      "Disallow: /",
    ].join("\r\n"),
  );
  expect(robots).toMatchObject({ delay: 2.5, sitemaps: ["https://shop.example/sitemap.xml"] });
  const allowed = ["/", "/private/x", "/private/open/x"].map((path) =>
    isAllowedByRobots(robots, `https://shop.example${path}`),
  );
  expect(allowed).toEqual([true, false, true]);
  expect(isAllowedByRobots(readRobots("User-agent: *\nDisallow: /x"), "https://a.example/x")).toBe(false);
});

test("a huge robots.txt, with rules that search far, is read within bounds", () => {
  const robots = readRobots(`User-agent: *\n${`Disallow: /${"a*".repeat(200)}\n`.repeat(50_000)}`);
  expect(robots.rules).toHaveLength(500);
  expect(isAllowedByRobots(robots, `https://a.example/${"a".repeat(2000)}`)).toBe(false);
});

test("robots.txt with endless white space, or with groups for everybody, is read in linear time and little memory", () => {
  const spaces = " ".repeat(500_000);
  const [address] = readRobots(`Sitemap: /map.xml${spaces}x`).sitemaps;
  expect(address).toHaveLength("/map.xml".length + spaces.length + 1);
  expect(readRobots(`Sitemap: /map.xml${spaces}#\u2028`).sitemaps).toEqual(["/map.xml"]);
  const agents = Array.from({ length: 20_000 }, (_, n) => `user-agent: robot-${n}`);
  const rules = Array.from({ length: 20_000 }, (_, n) => `disallow: /${n}`);
  expect(readRobots([...agents, ...rules].join("\n")).rules).toEqual([]);
  expect(readRobots([...agents, "user-agent: *", ...rules].join("\n")).rules).toHaveLength(500);
});

test("all parts of a pattern count, however many it has", () => {
  const pattern = "/a*b*c*d*e*f*g*h*i*j$";
  expect(matchesPattern(pattern, "/abcdefghij")).toBe(true);
  expect(matchesPattern(pattern, "/abcdefgh")).toBe(false);
  expect(matchesPattern("/a*b*c*d*e*f*g*h*z", "/abcdefghij")).toBe(false);
});

test("sitemaps and feeds with endless white space are read in linear time", () => {
  const spaces = " ".repeat(2_000_000);
  for (const text of [`<urlset><loc>${spaces}<`, `<rss><link>${spaces}<`, `<rss>${"<link ".repeat(300_000)}`])
    expect(readSiteList(text).addresses).toEqual([]);
  expect(readSiteList(`<urlset><loc>${spaces}<![CDATA[ https://a.example/ ]]></loc>`).addresses).toEqual([
    "https://a.example/",
  ]);
});

test.for<[what: string, text: string, addresses: string[], kind: string]>([
  [
    "a sitemap",
    "<urlset><url><loc> https://a.example/?x=1&amp;y=2 </loc></url></urlset>",
    ["https://a.example/?x=1&y=2"],
    "pages",
  ],
  [
    "an index",
    "<?xml version='1.0'?><sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>",
    ["https://a.example/1.xml"],
    "sitemaps",
  ],
  [
    "RSS",
    "<rss><channel><link>https://a.example/</link><item><link><![CDATA[https://a.example/1]]></link></item></channel></rss>",
    ["https://a.example/", "https://a.example/1"],
    "pages",
  ],
  [
    "Atom",
    '<feed><link rel="self" href="/feed"/><entry><link href="https://a.example/2"/></entry></feed>',
    ["https://a.example/2"],
    "pages",
  ],
  [
    "a list of lines",
    "https://a.example/1\r\nhttps://a.example/2\r\nnot one",
    ["https://a.example/1", "https://a.example/2"],
    "pages",
  ],
  [
    "entities that grow",
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://a.example/&b;</loc></url></urlset>',
    ["https://a.example/&b;"],
    "pages",
  ],
])("%s lists its addresses", ([, text, addresses, kind]) => {
  expect(readSiteList(text)).toEqual({ kind, addresses, isCut: false, problem: null });
});

test("a sitemap with more addresses than the standard allows is cut", () => {
  const urls = Array.from({ length: 50_001 }, (_, n) => `<url><loc>https://a.example/${n}</loc></url>`);
  expect(readSiteList(`<urlset>${urls.join("")}</urlset>`)).toMatchObject({ isCut: true });
  expect(readSiteList(`<urlset>${"<loc>".repeat(300_000)}`).addresses).toEqual([]);
});

test("a page says its title, its links, its canonical address, its script hosts and the paths in its scripts", () => {
  const html = `<!doctype html><html><head><title> A
    page </title><base href="/shop/"><link rel="canonical" href="/shop/a"><link rel="next" href="?page=2">
    <link rel="alternate" type="application/rss+xml" href="/feed.xml"><script src="https://cdn.example/x.js"></script>
    <script src="/own.js"></script><script>fetch("/api/v1/users")</script></head>
    <body><main><a href="item#top">Item</a><a href="mailto:x@y.example">Mail</a></main></body></html>`;
  expect(readSitePage(html, "https://shop.example/a", true)).toMatchObject({
    title: "A page",
    links: ["https://shop.example/shop/?page=2", "https://shop.example/shop/item"],
    canonical: "https://shop.example/shop/a",
    feeds: ["https://shop.example/feed.xml"],
    scriptHosts: ["cdn.example"],
    candidates: ["https://shop.example/api/v1/users"],
    hasScripts: true,
  });
});

test("links that robots are asked not to follow are left out if that is obeyed", () => {
  const html = '<meta name="robots" content="noindex, nofollow"><a href="/x">x</a>';
  expect(readSitePage(html, base, true).links).toEqual([]);
  expect(readSitePage(html, base, false).links).toEqual(["https://shop.example/x"]);
});

test("pages that are built alike have one skeleton, and pages that say the same one hash", () => {
  const item = (text: string) =>
    `<body><header></header><main><article><h1>${text}</h1></article></main></body>`;
  const [one, two] = [item("Lamp"), item("Chair <b>sale</b>")].map((html) => readSitePage(html, base, true));
  expect(one?.skeleton).toBe(two?.skeleton);
  expect(one?.textHash).not.toBe(two?.textHash);
  expect(readSitePage(`<body><nav></nav></body>`, base, true).skeleton).not.toBe(one?.skeleton);
});

test("markup that is nested without end takes linear time", () => {
  const deep = "<div>".repeat(200_000) + "</x>".repeat(100_000);
  expect(readSitePage(deep, base, true).links).toEqual([]);
});
