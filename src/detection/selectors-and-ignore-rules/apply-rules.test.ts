import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { extractPage } from "../html-parsing/extract-page.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { applyRules, parseRules } from "./apply-rules.ts";
import { noRules, type Rules } from "./rules.ts";

const url = "https://shop.example/";
const filterCapture = (snapshot: Snapshot, rules: Partial<Rules>) =>
  applyRules(snapshot, parseRules({ ...noRules, ...rules }));
const page = (html: string) => snapshotOf(html, "html", url);
const html = (source: string, rules: Partial<Rules>) => filterCapture(page(source), rules).snapshot.html;

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
  compare(filterCapture(before, rules).snapshot, filterCapture(after, rules).snapshot, emptyMemory()).verdict;

describe("ignored content is absent from every part of the verdict", () => {
  const [before, after] = [shop("59.00", "three"), shop("59.00", "eleven")];
  test.for([
    ["elements", ["title", "p:last-of-type"]],
    ["an XPath", ["xpath://title", "xpath://p[contains(., 'online')]"]],
    ["a line", ["online"]],
    ["a pattern over several nodes", ["/\\w+ (people )?online/"]],
  ] satisfies [string, string[]][])("when ignored by %s", ([, ignore]) => {
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
    const edited = verdict(before, shop("64.00", "eleven"), { ignore });
    expect(edited.summary).toBe("“Fjell lamp” 59.00 € → 64.00 €");
    expect(JSON.stringify(edited)).not.toMatch(/eleven|three/);
  });

  test("the rest of a line that contains an ignored pattern is still compared", () => {
    const line = (stock: string, views: string) =>
      page(`<main>${filler}<p>${stock}, ${views} views</p></main>`);
    const edited = verdict(line("In stock", "12"), line("Sold out", "15"), { ignore: ["/\\d+ views/"] });
    expect(edited.changed).toBe(true);
    expect(JSON.stringify(edited)).not.toMatch(/12|15|views/);
  });

  test("also from findings, scripts, hosts, labels and generated text", () => {
    const widget =
      '<div class="chat"><script src="https://chat.example/x.js"></script><a href="mailto:a@chat.example">12 wait</a></div>';
    const captured: Snapshot = {
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
    const { snapshot } = filterCapture({ ...captured, rendered }, { ignore: [".chat", "/12 wait/"] });
    expect(snapshot.html).not.toMatch(/12 wait|chat/);
    expect(snapshot.html).toContain('<img alt="" src="/a.png">');
    expect([snapshot.scripts, snapshot.thirdPartyHosts]).toEqual([[], ["cdn.example"]]);
    expect(snapshot.rendered).toMatchObject({ elements: 16, written: [{ at: 15, after: "" }] });
    expect(
      compare(filterCapture(page(`<main>${filler}</main>`), {}).snapshot, snapshot, emptyMemory()).verdict
        .findings,
    ).toEqual([]);
  });
});

describe("a selector", () => {
  const source =
    "<title>T</title><nav>menu</nav><main>\n<p id=a>one</p>\n<p id=b>two</p></main><footer>f</footer>";
  test("keeps the selected elements and their ancestors, each on its original line", () => {
    expect(html(source, { selector: "#b" })).toBe("<main>\n\n<p id=b>two</p></main>");
    expect(html(source, { selector: "#a, footer" })).toBe(
      "<main>\n<p id=a>one</p>\n</main><footer>f</footer>",
    );
    expect(html(source, { selector: "#a\nxpath://footer" })).toBe(
      "<main>\n<p id=a>one</p>\n</main><footer>f</footer>",
    );
    expect(html(source, { selector: "main", ignore: ["#a"] })).toBe("<main>\n\n<p id=b>two</p></main>");
    expect(filterCapture(page(source), { selector: "main" }).snapshot.text.map(({ text }) => text)).toEqual([
      "one",
      "two",
    ]);
  });

  test("gives an empty capture if it matches nothing", () => {
    for (const selector of [".gone", "xpath://h1", "jsonpath:$.a"]) {
      expect(filterCapture(page(source), { selector })).toMatchObject({
        isAbsent: true,
        comparedArea: null,
        snapshot: { html: "", text: [] },
      });
    }
    expect(filterCapture(snapshotOf("a\nb", "text", url), { selector: "p" }).isAbsent).toBe(true);
  });

  test("gives a truncated capture only if the selected part itself is cut", () => {
    const cut = { ...page(`<p id=a>one</p><ul>${"<li>x</li>".repeat(9)}`), truncated: true };
    expect(filterCapture(cut, { selector: "#a" }).snapshot.truncated).toBe(false);
    expect(filterCapture(cut, { selector: "ul" }).snapshot.truncated).toBe(true);
    expect(filterCapture(cut, { selector: "li" }).snapshot.truncated).toBe(true);
  });
});

describe("files", () => {
  const json = (value: unknown) => snapshotOf(JSON.stringify(value), "json", url);
  const left = (value: unknown, rules: Partial<Rules>) =>
    JSON.parse(filterCapture(json(value), rules).snapshot.html);
  const stock = {
    updated: "12:00",
    items: [
      { name: "Lamp", price: 59, views: 12 },
      { name: "Door", price: 9, views: 3 },
    ],
  };

  test("JSON is filtered by JSONPath and keeps its structure", () => {
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

  test("JSON is filtered by words and patterns on each value", () => {
    expect(left(stock, { ignore: ["views", "/\\d\\d:\\d\\d/", "/La/"] })).toEqual({
      items: [
        { name: "mp", price: 59 },
        { name: "Door", price: 9 },
      ],
    });
  });

  test("text is filtered by line, a feed by the text between its tags", () => {
    const text = filterCapture(snapshotOf("Contact: a\nExpires: 2027\nHiring: yes", "text", url), {
      ignore: ["expires", "/yes/"],
    });
    expect(text.snapshot).toMatchObject({
      html: "Contact: a\n\nHiring: ",
      body: new TextEncoder().encode("Contact: a\n\nHiring: "),
    });
    expect(text.snapshot.text.map((block) => block.text)).toEqual(["Contact: a", "Hiring:"]);
    expect(text.comparedArea).toBeNull();
    const feed = filterCapture(
      snapshotOf("<rss><title>News</title><link>/a</link><ttl>5</ttl></rss>", "xml", url),
      {
        ignore: ["news"],
      },
    );
    expect(feed.snapshot.html).toBe("<rss><title></title><link>/a</link><ttl>5</ttl></rss>");
  });

  test("a file that no rule matches stays the same", () => {
    const file = snapshotOf("a", "text", url);
    expect(filterCapture(file, { ignore: ["b"] })).toEqual({
      snapshot: file,
      comparedArea: { only: null, hidden: [] },
      isAbsent: false,
      idle: ["b"],
    });
  });
});

describe("the picture", () => {
  // main is 100 × 90 at 0,0; its paragraphs are 30 rows high; the text of the last one is half as wide.
  const captured: Snapshot = {
    ...page("<main><p>one</p><p class=ad>two<b>!</b></p><p>three</p></main>"),
    text: ["one", "two!", "three"].map((text) => ({ role: "paragraph", area: "main", text })),
    layout: { elements: 5, boxes: ",,2s,2i;,,,-1o;,u;a,,-2i,-k;-a,u,2i,k", texts: "1,,,2s,u;1,,u;2,,u,-1e" },
  };
  test("shows where lines are of which an element is ignored", () => {
    const { places = [] } = filterCapture(captured, { ignore: ["b"] });
    expect(places.map(({ text, at }) => [text, at])).toEqual([
      ["one", 1],
      ["two", 2],
      ["three", 4],
    ]);
  });

  test("is without other elements over a chosen one, unless they cover most of it", () => {
    const beside = (boxes: string) =>
      filterCapture(
        { ...page("<i></i><p>words</p>"), layout: { elements: 2, boxes, texts: "1,,,2s,14" } },
        { selector: "p" },
      ).comparedArea;
    const only = [{ x: 0, y: 0, width: 100, height: 40 }];
    expect(beside(",,u,k;,,1y,k")).toEqual({ only, hidden: [{ x: 0, y: 0, width: 30, height: 20 }] });
    expect(beside(",,2s,u;,,,a")).toEqual({ only, hidden: [] });
  });

  test("is limited to the selected areas, without the ignored ones", () => {
    expect(filterCapture(captured, { selector: "p:last-child" }).comparedArea).toEqual({
      only: [{ x: 0, y: 60, width: 100, height: 30 }],
      hidden: [],
    });
    expect(filterCapture(captured, { ignore: [".ad", "three"] }).comparedArea).toEqual({
      only: null,
      hidden: [
        { x: 0, y: 30, width: 100, height: 30 },
        { x: 0, y: 60, width: 50, height: 30 },
      ],
    });
  });
  test("is whole if no rule matches, and unknown without a usable layout", () => {
    expect(filterCapture(captured, { ignore: [".none", "four"] }).comparedArea).toEqual({
      only: null,
      hidden: [],
    });
    const { layout: _, ...withoutLayout } = captured;
    expect(filterCapture(withoutLayout, { ignore: [".ad"] }).comparedArea).toBeNull();
    expect(
      filterCapture({ ...captured, layout: { elements: 9, boxes: "", texts: "" } }, { selector: ".ad" })
        .comparedArea,
    ).toBeNull();
  });
});

test("broken markup never throws, and ignored content is always removed", () => {
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

test("what is ignored of a link's words is ignored of its target only if no words of it are left", () => {
  const offer = (words: string) => page(`<main>${filler}<p>${words}</p></main>`);
  const isChanged = (words: string) =>
    verdict(offer("Write to us"), offer(words), { ignore: ["/only \\d+ left.*|^write to us$/i"] }).changed;
  expect(isChanged('Only 3 left at <a href="mailto:deal@shop.example">deal@shop.example</a>')).toBe(false);
  expect(isChanged('<a href="mailto:deal@shop.example">Only 3 left</a>')).toBe(false);
  expect(isChanged('<a href="mailto:deal@shop.example">Buy! Only 3 left</a>')).toBe(true);
  expect(isChanged('Only 3 left <a href="//other.example"><img src="/x.png" alt=""></a>')).toBe(true);
});

describe("a selected part counts as main content", () => {
  const site = (menu: string, note = "House of lamps, since 1902") =>
    page(
      `<header><nav id="menu"><ul>${menu}</ul></nav></header><main>${filler}</main><footer><p id="note">${note}</p></footer>`,
    );
  const entry = (text: string) => `<li><a href="/x">${text}</a></li>`;

  test.for([
    ["a menu", "#menu", site(entry("Lamps")), site(entry("Closing down"))],
    ["a part of the footer", "#note", site(""), site("", "House of lamps, since 1903")],
    ["the footer", "footer", site("", "Room 4"), site("", "Room 9")],
  ] satisfies [string, string, Snapshot, Snapshot][])(
    "%s: every change is alerted immediately",
    ([, selector, before, after]) => {
      let memory = emptyMemory();
      const pages = [before, after, before, after, before, after].map(
        (one) => filterCapture(one, { selector }).snapshot,
      );
      for (let at = 1; at < pages.length; at++) {
        const result = compare(pages[at - 1] as Snapshot, pages[at] as Snapshot, memory);
        expect(result.verdict).toMatchObject({ changed: true, folded: false });
        memory = result.memory;
      }
    },
  );

  test("noise of the whole page stays noise if the selector is the whole page", () => {
    const [before, after] = [site(entry("Basket (1)")), site(entry("Basket (2)"))];
    expect(verdict(before, after, { selector: "body" }).changed).toBe(false);
    expect(verdict(before, after, { selector: "#menu" }).changed).toBe(true);
  });
});
