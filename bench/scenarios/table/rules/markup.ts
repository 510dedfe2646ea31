// Selectors on XML and feeds, feeds as targets, and the source of pages.
import { alerted, failed, noise, type Scenario, same } from "../../scenario.ts";
import { byRule, page, type RuleRow, text, xml } from "./by-rule.ts";

const item = (id: number, title: string, more = "") =>
  `<item><title>${title}</title><link>http://feed.example/${id}</link><guid>g${id}</guid>${more}</item>`;
const rss = (...items: string[]) =>
  `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Harbour</title><link>http://feed.example/</link><description>News</description>${items.join("")}</channel></rss>`;
const entry = (id: number, title: string, more = "") =>
  `<entry><id>urn:e${id}</id><title>${title}</title><link href="http://feed.example/${id}"/>${more}</entry>`;
const atom = (...entries: string[]) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title><id>urn:f</id>${entries.join("")}</feed>`;
const sitemap = (...paths: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>http://a.example${path}</loc><lastmod>2026-01-0${path.length}</lastmod></url>`).join("")}</urlset>`;
const select = (selector: string) => ({ selector });

const onFeeds: RuleRow[] = [
  [
    "titles of items: one is added",
    select("xpath://item/title"),
    [rss(item(1, "Pier opens")), rss(item(2, "Storm comes"), item(1, "Pier opens"))],
    alerted(["Storm comes"]),
  ],
  [
    "titles of items: a description changes",
    select("xpath://item/title"),
    [
      rss(item(1, "Pier", "<description>a</description>")),
      rss(item(1, "Pier", "<description>b</description>")),
    ],
    same,
  ],
  [
    "by CSS",
    select("item > title"),
    [rss(item(1, "Pier opens")), rss(item(1, "Pier closes"))],
    alerted(["Pier closes"]),
  ],
  [
    "by CSS: a link changes",
    select("item > title"),
    [rss(item(1, "Pier")), rss(item(1, "Pier").replace("/1<", "/9<"))],
    same,
  ],
  [
    "text of titles",
    select("xpath://item/title/text()"),
    [rss(item(1, "One thing")), rss(item(1, "Other thing"))],
    alerted(["Other thing"]),
  ],
  [
    "the newest item only",
    select("xpath:(//item)[1]/title"),
    [rss(item(1, "A new"), item(2, "B old")), rss(item(1, "A new"), item(2, "C old"))],
    same,
  ],
  [
    "items with a word",
    select("xpath://item[contains(title, 'Ferry')]"),
    [rss(item(1, "Ferry runs"), item(2, "Pier 1")), rss(item(1, "Ferry runs"), item(2, "Pier 2"))],
    same,
  ],
  [
    "items with a word change",
    select("xpath://item[contains(title, 'Ferry')]"),
    [rss(item(1, "Ferry runs"), item(2, "Pier")), rss(item(1, "Ferry stops"), item(2, "Pier"))],
    alerted(["Ferry stops"]),
  ],
  [
    "how many items there are",
    select("xpath:count(//item)"),
    [rss(item(1, "A")), rss(item(1, "A"), item(2, "B"))],
    alerted(["1", "2"]),
  ],
  [
    "a name with a prefix",
    select("xpath://dc:creator"),
    [rss(item(1, "A", "<dc:creator>Ana</dc:creator>")), rss(item(1, "A", "<dc:creator>Ben</dc:creator>"))],
    alerted(["Ben"]),
  ],
  [
    "a name with a prefix: the rest changes",
    select("xpath://dc:creator"),
    [rss(item(1, "A", "<dc:creator>Ana</dc:creator>")), rss(item(1, "B", "<dc:creator>Ana</dc:creator>"))],
    same,
  ],
  [
    "an attribute",
    select("xpath://media:thumbnail/@url"),
    [
      rss(item(1, "A", '<media:thumbnail url="/a.png"/>')),
      rss(item(1, "A", '<media:thumbnail url="/b.png"/>')),
    ],
    alerted(["/b.png"]),
  ],
  [
    "local-name()",
    select("xpath://*[local-name() = 'creator']"),
    [rss(item(1, "A", "<dc:creator>Ana</dc:creator>")), rss(item(1, "A", "<dc:creator>Ben</dc:creator>"))],
    alerted(["Ben"]),
  ],
  [
    "Atom, by CSS",
    select("entry > title"),
    [atom(entry(1, "v1.0")), atom(entry(2, "v1.1"), entry(1, "v1.0"))],
    alerted(["v1.1"]),
  ],
  [
    "Atom, by XPath without a prefix",
    select("xpath://entry/title"),
    [atom(entry(1, "v1.0", "<updated>1</updated>")), atom(entry(1, "v1.0", "<updated>2</updated>"))],
    same,
  ],
  [
    "Atom, the address of each entry",
    select("xpath://entry/link/@href"),
    [atom(entry(1, "a")), atom(entry(1, "a"), entry(2, "b"))],
    alerted(["http://feed.example/2"]),
  ],
  ["a sitemap's addresses", select("xpath://loc"), [sitemap("/a"), sitemap("/a", "/bb")], alerted(["/bb"])],
  ["a sitemap's dates", select("loc"), [sitemap("/a"), sitemap("/a").replace("01-02", "01-09")], same],
  [
    "CDATA",
    select("xpath://description"),
    [
      rss(item(1, "A", "<description><![CDATA[<b>one</b>]]></description>")),
      rss(item(1, "A", "<description><![CDATA[<b>two</b>]]></description>")),
    ],
    alerted(["two"]),
  ],
  [
    "names in mixed case",
    select("xpath://lastBuildDate"),
    [rss("<lastBuildDate>Mon</lastBuildDate>"), rss("<lastBuildDate>Tue</lastBuildDate>")],
    alerted(["Tue"]),
  ],
  ["nothing matches", select("xpath://nothing"), [rss(item(1, "A")), rss(item(1, "B"))], failed()],
  [
    "an element is ignored",
    { ignore: ["xpath://description"] },
    [rss(item(1, "A", "<description>a</description>")), rss(item(1, "A", "<description>b</description>"))],
    same,
  ],
  [
    "an XPath is ignored",
    { ignore: ["xpath://item/pubDate"] },
    [rss(item(1, "A", "<pubDate>Mon, 5 Jan</pubDate>")), rss(item(1, "A", "<pubDate>Tue, 6 Jan</pubDate>"))],
    same,
  ],
  [
    "words are ignored",
    { ignore: ["sponsored"] },
    [rss(item(1, "A"), item(2, "Sponsored: x")), rss(item(1, "A"), item(2, "Sponsored: y"))],
    same,
  ],
  [
    "inside a chosen item an element is ignored",
    { selector: "item", ignore: ["xpath://pubDate"] },
    [rss(item(1, "A", "<pubDate>Mon, 5 Jan</pubDate>")), rss(item(1, "A", "<pubDate>Tue, 6 Jan</pubDate>"))],
    same,
  ],
];

const typed = [
  "application/rss+xml",
  "application/atom+xml",
  "text/xml",
  "text/plain",
  "text/html",
  "application/octet-stream",
].flatMap((type) =>
  byRule("rules: feeds by type", xml(type), [
    [
      `a title in a feed served as ${type}`,
      select("xpath://item/title"),
      [rss(item(1, "Pier opens")), rss(item(1, "Pier closes"))],
      alerted(["Pier closes"]),
    ],
    [
      `another part of a feed served as ${type}`,
      select("xpath://item/title"),
      [rss(item(1, "Pier", "<author>a</author>")), rss(item(1, "Pier", "<author>b</author>"))],
      same,
    ],
  ]),
);

const targets: RuleRow[] = [
  [
    "an entry is new",
    {},
    [rss(item(1, "Pier opens")), rss(item(2, "Storm comes"), item(1, "Pier opens"))],
    { is: "alerted", says: ["Storm comes"] },
  ],
  [
    "two entries are new",
    {},
    [rss(item(1, "A")), rss(item(3, "Gull lands"), item(2, "Storm comes"), item(1, "A"))],
    alerted(["Gull lands", "Storm comes"]),
  ],
  [
    "an entry is edited",
    {},
    [rss(item(1, "Pier opens"), item(2, "B")), rss(item(1, "Pier opens late"), item(2, "B"))],
    alerted(["Pier opens late"]),
  ],
  [
    "an entry is gone",
    {},
    [rss(item(1, "Pier opens"), item(2, "B")), rss(item(2, "B"))],
    alerted(["Pier opens"]),
  ],
  [
    "entries change their order",
    {},
    [rss(item(1, "A"), item(2, "B")), rss(item(2, "B"), item(1, "A"))],
    noise,
  ],
  [
    "a new entry pushes the others down",
    {},
    [atom(entry(1, "v1"), entry(2, "v2")), atom(entry(3, "v3"), entry(1, "v1"), entry(2, "v2"))],
    { is: "alerted", says: ["v3"] },
  ],
  [
    "an Atom entry is edited",
    {},
    [
      atom(entry(1, "v1", "<summary>old words</summary>")),
      atom(entry(1, "v1", "<summary>new words</summary>")),
    ],
    alerted(["new words"]),
  ],
  [
    "the feed's build date changes",
    {},
    [
      rss("<lastBuildDate>Mon, 05 Jan 2026 10:00:00 GMT</lastBuildDate>", item(1, "A")),
      rss("<lastBuildDate>Mon, 05 Jan 2026 11:00:00 GMT</lastBuildDate>", item(1, "A")),
    ],
    noise,
  ],
];

const source = (selector?: string) => ({ compareAs: "source" as const, ...(selector && { selector }) });
const sources: RuleRow[] = [
  [
    "a comment changes",
    source(),
    [page("<!-- build 1 --><p>a</p>"), page("<!-- build 2 --><p>a</p>")],
    alerted(["build 2"]),
  ],
  [
    "an attribute changes",
    source(),
    [page("<p data-x=1>a</p>"), page("<p data-x=2>a</p>")],
    alerted(["data-x=2"]),
  ],
  ["nothing changes", source(), [page("<p>a</p>"), page("<p>a</p>")], same],
  [
    "an inline script changes",
    source(),
    [page("<script>let a = 1</script>"), page("<script>let a = 2</script>")],
    alerted(["let a = 2"]),
  ],
  [
    "the source of an element",
    source("#x"),
    [page("<p id=x class=a>t</p><p>1</p>"), page("<p id=x class=b>t</p><p>1</p>")],
    alerted(["class=b"]),
  ],
  [
    "the source around an element",
    source("#x"),
    [page("<p id=x>t</p><p>1</p>"), page("<p id=x>t</p><p>2</p>")],
    same,
  ],
  [
    "an ignored element in the source",
    { compareAs: "source", ignore: ["script"] },
    [page("<p>a</p><script>1</script>"), page("<p>a</p><script>2</script>")],
    same,
  ],
  [
    "an ignored pattern in the source",
    { compareAs: "source", ignore: ["/nonce=\\w+/"] },
    [page("<p nonce=abc1>a</p>"), page("<p nonce=abc2>a</p>")],
    same,
  ],
  [
    "lines of the source",
    { compareAs: "source", steps: [{ do: "keep", text: "version", to: "" }] },
    [page("<p>1</p>\n<!-- version 3 -->\n"), page("<p>2</p>\n<!-- version 3 -->\n")],
    same,
  ],
  [
    "a script file is compared line by line",
    source(),
    [
      { body: "a();\nb();", type: "text/javascript" },
      { body: "a();\nc();", type: "text/javascript" },
    ],
    alerted(["c();"]),
  ],
  ["a text file", source(), [text("one\ntwo"), text("one\nthree")], alerted(["three"])],
];

export const markupRules: Scenario[] = [
  ...byRule("rules: feeds", xml("application/rss+xml"), onFeeds),
  ...typed,
  ...byRule("feed entries", xml("application/rss+xml"), targets),
  ...byRule("rules: source", page, sources),
];
