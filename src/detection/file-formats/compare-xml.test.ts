import { expect, test } from "vitest";
import { compareXml } from "./compare-xml.ts";

function differences(before: string, after: string): string[] {
  return compareXml(before, after)!.found.map(
    ({ place, before: old, after: now, noise }) => `${place}: ${old} → ${now}${noise ? ` (${noise})` : ""}`,
  );
}

const rss = (items: string, built = "Mon, 05 Jan 2026 10:00:00 GMT"): string =>
  `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title><lastBuildDate>${built}</lastBuildDate>${items}</channel></rss>`;
const item = (guid: string, title: string): string =>
  `<item><guid>${guid}</guid><title>${title}</title></item>`;

test("ignores attribute order, white space and quotes", () => {
  expect(differences(`<a x="1" y='2'><b>t</b></a>`, `<a y="2"  x="1">\n  <b> t </b>\n</a>`)).toEqual([]);
});

test("reports a new feed item as a change and the feed's build time as noise", () => {
  expect(
    differences(
      rss(item("1", "One")),
      rss(item("2", "Two") + item("1", "One"), "Mon, 05 Jan 2026 11:00:00 GMT"),
    ),
  ).toEqual([
    "rss.channel.item[2]: null → New entry: Two",
    "rss.channel.lastBuildDate: Mon, 05 Jan 2026 10:00:00 GMT → Mon, 05 Jan 2026 11:00:00 GMT (time)",
  ]);
});

test("reports a changed title in its item", () => {
  expect(
    differences(rss(item("1", "One") + item("2", "Two")), rss(item("2", "Two!") + item("1", "One"))),
  ).toEqual(["rss.channel.item[2]: Edited: Two! (title: Two) → Edited: Two! (title: Two!)"]);
});

test("reports added, removed and re-dated entries of a sitemap", () => {
  const map = (...urls: [string, string][]): string =>
    `<urlset>${urls.map(([loc, day]) => `<url><loc>${loc}</loc><lastmod>${day}</lastmod></url>`).join("")}</urlset>`;
  expect(
    differences(
      map(["/a", "2026-01-01"], ["/b", "2026-01-01"]),
      map(["/a", "2026-01-02"], ["/admin", "2026-01-02"]),
    ),
  ).toEqual([
    "urlset.url[loc=/a].lastmod: 2026-01-01 → 2026-01-02",
    'urlset.url[loc=/b]: {"loc":"/b","lastmod":"2026-01-01"} → null',
    'urlset.url[loc=/admin]: null → {"loc":"/admin","lastmod":"2026-01-02"}',
  ]);
});

test("reads CDATA and entities as text, and attributes of elements that contain text", () => {
  expect(differences("<a><![CDATA[x & y]]></a>", "<a>x &amp; y</a>")).toEqual([]);
  expect(differences('<a k="1">t</a>', '<a k="2">t</a>')).toEqual(["a.@k: 1 → 2"]);
});

test("returns undefined for invalid or too deeply nested XML, and handles names like __proto__", () => {
  expect(compareXml("hello", "<a/>")).toBeUndefined();
  expect(compareXml("<a>".repeat(5000), "<a/>")).toBeUndefined();
  expect(differences("<__proto__>1</__proto__>", "<__proto__>2</__proto__>")).toEqual(["__proto__: 1 → 2"]);
});
