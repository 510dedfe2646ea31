import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyRules, readRules } from "./apply-rules.ts";
import { compare } from "./compare.ts";
import { extractPage } from "./extract-page.ts";
import { parseHtml } from "./html/parse-html.ts";
import { emptyMemory } from "./noise-memory.ts";
import { noRules, type Rules } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const url = "https://shop.example/";
const see = (snapshot: Snapshot, rules: Partial<Rules>) =>
  applyRules(snapshot, readRules({ ...noRules, ...rules }));
const page = (html: string) => snapshotOf(html, "html", url);
const html = (source: string, rules: Partial<Rules>) => see(page(source), rules).snapshot.html;

const filler = Array.from(
  { length: 12 },
  (_, i) => `<p>Paragraph ${i} says the same as ever before.</p>`,
).join("");
const shop = (price: string, online: string, extra = "") =>
  page(
    `<title>Shop, ${online} online</title><main>${filler}<p class="price">Fjell lamp <b>${price}</b> €</p><p>Sold by us. <b>${online}</b> people
 online</p>${extra}</main>`,
  );
const verdict = (before: Snapshot, after: Snapshot, rules: Partial<Rules>) =>
  compare(see(before, rules).snapshot, see(after, rules).snapshot, emptyMemory()).verdict;

describe("what is ignored is absent from everything", () => {
  const [before, after] = [shop("59.00", "three"), shop("59.00", "eleven")];
  test.for([
    ["elements", ["title", "p:last-of-type"]],
    ["an XPath", ["xpath://title", "xpath://p[contains(., 'online')]"]],
    ["a line", ["online"]],
    ["a pattern over several nodes", ["/\\w+ (people )?online/"]],
  ] satisfies [string, string[]][])("by %s", ([, ignore]) => {
    expect(verdict(before, after, {}).changed).toBe(true);
    expect(verdict(before, after, { ignore })).toMatchObject({
      changed: false,
      similarity: 100,
      summary: "No change",
      reasons: [],
      findings: [],
      hunks: [],
      ignored: [],
    });
    const told = verdict(before, shop("64.00", "eleven"), { ignore });
    expect(told.summary).toBe("“Fjell lamp” 59.00 € → 64.00 €");
    expect(JSON.stringify(told)).not.toMatch(/eleven|three/);
  });

  test("what stands beside a pattern in its line is told", () => {
    const line = (stock: string, views: string) =>
      page(`<main>${filler}<p>${stock}, ${views} views</p></main>`);
    const told = verdict(line("In stock", "12"), line("Sold out", "15"), { ignore: ["/\\d+ views/"] });
    expect(told.changed).toBe(true);
    expect(JSON.stringify(told)).not.toMatch(/12|15|views/);
  });

  test("findings, scripts, hosts, labels and words of style sheets", () => {
    const widget =
      '<div class="chat"><script src="https://chat.example/x.js"></script><a href="mailto:a@chat.example">12 wait</a></div>';
    const seen: Snapshot = {
      ...page(
        `<main>${filler}<img alt="12 wait" src=/a.png><meta name=description content="Now 12 wait">${widget}<i></i></main>`,
      ),
      scripts: [{ src: "https://chat.example/x.js", sha256: "" }],
      thirdPartyHosts: ["chat.example", "cdn.example"],
      via: "browser",
    };
    const rendered = {
      elements: 19,
      hidden: [],
      cloaked: [],
      shown: [],
      written: [{ at: 18, after: "12 wait" }],
    };
    const { snapshot } = see({ ...seen, rendered }, { ignore: [".chat", "/12 wait/"] });
    expect(snapshot.html).not.toMatch(/12 wait|chat/);
    expect(snapshot.html).toContain('<img alt="" src="/a.png">');
    expect([snapshot.scripts, snapshot.thirdPartyHosts]).toEqual([[], ["cdn.example"]]);
    expect(snapshot.rendered).toMatchObject({ elements: 16, written: [{ at: 15, after: "" }] });
    expect(
      compare(see(page(`<main>${filler}</main>`), {}).snapshot, snapshot, emptyMemory()).verdict.findings,
    ).toEqual([]);
  });
});

describe("a selector", () => {
  const source =
    "<title>T</title><nav>menu</nav><main>\n<p id=a>one</p>\n<p id=b>two</p></main><footer>f</footer>";
  test("leaves what it chooses and the elements that lead there, each on its line", () => {
    expect(html(source, { selector: "#b" })).toBe("<main>\n\n<p id=b>two</p></main>");
    expect(html(source, { selector: "#a, footer" })).toBe(
      "<main>\n<p id=a>one</p>\n</main><footer>f</footer>",
    );
    expect(html(source, { selector: "#a\nxpath://footer" })).toBe(
      "<main>\n<p id=a>one</p>\n</main><footer>f</footer>",
    );
    expect(html(source, { selector: "main", ignore: ["#a"] })).toBe("<main>\n\n<p id=b>two</p></main>");
    expect(see(page(source), { selector: "main" }).snapshot.text.map(({ text }) => text)).toEqual([
      "one",
      "two",
    ]);
  });

  test("that matches nothing shows nothing", () => {
    for (const selector of [".gone", "xpath://h1", "jsonpath:$.a"]) {
      expect(see(page(source), { selector })).toMatchObject({
        isAbsent: true,
        sight: null,
        snapshot: { html: "", text: [] },
      });
    }
    expect(see(snapshotOf("a\nb", "text", url), { selector: "p" }).isAbsent).toBe(true);
  });

  test("finds a whole part on a page that was cut short", () => {
    const cut = { ...page(`<p id=a>one</p><ul>${"<li>x</li>".repeat(9)}`), truncated: true };
    expect(see(cut, { selector: "#a" }).snapshot.truncated).toBe(false);
    expect(see(cut, { selector: "ul" }).snapshot.truncated).toBe(true);
    expect(see(cut, { selector: "li" }).snapshot.truncated).toBe(true);
  });
});

describe("files", () => {
  const json = (value: unknown) => snapshotOf(JSON.stringify(value), "json", url);
  const left = (value: unknown, rules: Partial<Rules>) => JSON.parse(see(json(value), rules).snapshot.html);
  const stock = {
    updated: "12:00",
    items: [
      { name: "Lamp", price: 59, views: 12 },
      { name: "Door", price: 9, views: 3 },
    ],
  };

  test("JSON by JSONPath, kept in its place", () => {
    expect(left(stock, { selector: "jsonpath:$.items[?@.price > 10].name" })).toEqual({
      items: [{ name: "Lamp" }],
    });
    expect(left(stock, { ignore: ["jsonpath:$..views", "jsonpath:$.updated"] })).toEqual({
      items: [
        { name: "Lamp", price: 59 },
        { name: "Door", price: 9 },
      ],
    });
  });

  test("JSON by words and patterns on each value", () => {
    expect(left(stock, { ignore: ["views", "/\\d\\d:\\d\\d/", "/La/"] })).toEqual({
      items: [
        { name: "mp", price: 59 },
        { name: "Door", price: 9 },
      ],
    });
  });

  test("text by its lines, a feed by what stands between its tags", () => {
    const text = see(snapshotOf("Contact: a\nExpires: 2027\nHiring: yes", "text", url), {
      ignore: ["expires", "/yes/"],
    });
    expect(text.snapshot).toMatchObject({
      html: "Contact: a\n\nHiring: ",
      body: new TextEncoder().encode("Contact: a\n\nHiring: "),
    });
    expect(text.snapshot.text.map((block) => block.text)).toEqual(["Contact: a", "Hiring:"]);
    expect(text.sight).toBeNull();
    const feed = see(snapshotOf("<rss><title>News</title><link>/a</link><ttl>5</ttl></rss>", "xml", url), {
      ignore: ["news"],
    });
    expect(feed.snapshot.html).toBe("<rss><title></title><link>/a</link><ttl>5</ttl></rss>");
  });

  test("a file that no rule touches is the same file", () => {
    const file = snapshotOf("a", "text", url);
    expect(see(file, { ignore: ["b"] })).toEqual({
      snapshot: file,
      sight: { only: null, hidden: [] },
      isAbsent: false,
    });
  });
});

describe("the picture", () => {
  // main at 0,0 of 100 × 90; its paragraphs of 30 rows each; the last one's text is half as wide.
  const seen: Snapshot = {
    ...page("<main><p>one</p><p class=ad>two<b>!</b></p><p>three</p></main>"),
    text: ["one", "two!", "three"].map((text) => ({ role: "paragraph", area: "main", text })),
    layout: { elements: 5, boxes: ",,2s,2i;,,,-1o;,u;a,,-2i,-k;-a,u,2i,k", texts: "1,,,2s,u;1,,u;2,,u,-1e" },
  };
  test("shows only what is chosen, without what is ignored", () => {
    expect(see(seen, { selector: "p:last-child" }).sight).toEqual({
      only: [{ x: 0, y: 60, width: 100, height: 30 }],
      hidden: [],
    });
    expect(see(seen, { ignore: [".ad", "three"] }).sight).toEqual({
      only: null,
      hidden: [
        { x: 0, y: 30, width: 100, height: 30 },
        { x: 0, y: 60, width: 50, height: 30 },
      ],
    });
  });
  test("is whole where no rule matches, and unknown where nobody knows what stands where", () => {
    expect(see(seen, { ignore: [".none", "four"] }).sight).toEqual({ only: null, hidden: [] });
    const { layout: _, ...blind } = seen;
    expect(see(blind, { ignore: [".ad"] }).sight).toBeNull();
    expect(
      see({ ...seen, layout: { elements: 9, boxes: "", texts: "" } }, { selector: ".ad" }).sight,
    ).toBeNull();
  });
});

test("however broken the markup, nothing throws and what is ignored is gone", () => {
  const piece = fc.constantFrom(
    "<p>",
    "</p>",
    "<b class=x>",
    "</b>",
    "text ",
    "&amp;",
    "<!--",
    "-->",
    "<li>",
    "<br>",
    "<",
    ">",
    "secret ",
    "<script>",
    "</script>",
    '<a title="secret">',
    "<svg/>",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const source = pieces.join("");
      const left = html(source, { ignore: [".x", "/secret/"] });
      expect(parseHtml(left).filter(({ attributes }) => attributes.class === "x")).toEqual([]);
      expect(extractPage(left, url).blocks.filter(({ text }) => text.includes("secret"))).toEqual([]);
      expect(html(source, {})).toBe(source);
    }),
  );
});

describe("what a selector chose is the content", () => {
  const site = (menu: string, note = "House of lamps, since 1902") =>
    page(
      `<header><nav id="menu"><ul>${menu}</ul></nav></header><main>${filler}</main><footer><p id="note">${note}</p></footer>`,
    );
  const entry = (text: string) => `<li><a href="/x">${text}</a></li>`;

  test.for([
    ["a menu", "#menu", site(entry("Lamps")), site(entry("Closing down"))],
    ["a piece of the footer", "#note", site(""), site("", "House of lamps, since 1903")],
    ["the footer", "footer", site("", "Room 4"), site("", "Room 9")],
  ] satisfies [string, string, Snapshot, Snapshot][])(
    "%s: pushed each time",
    ([, selector, before, after]) => {
      let memory = emptyMemory();
      const pages = [before, after, before, after, before, after].map(
        (one) => see(one, { selector }).snapshot,
      );
      for (let at = 1; at < pages.length; at++) {
        const result = compare(pages[at - 1] as Snapshot, pages[at] as Snapshot, memory);
        expect(result.verdict).toMatchObject({ changed: true, folded: false });
        memory = result.memory;
      }
    },
  );

  test("and what is noise in the whole page stays noise where the whole page is chosen", () => {
    const [before, after] = [site(entry("Basket (1)")), site(entry("Basket (2)"))];
    expect(verdict(before, after, { selector: "body" }).changed).toBe(false);
    expect(verdict(before, after, { selector: "#menu" }).changed).toBe(true);
  });
});
