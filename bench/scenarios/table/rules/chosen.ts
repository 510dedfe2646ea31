// What a selector chooses: elements, the values and attributes that XPath yields, and what is ignored.
import { type Answer, alerted, failed, noise, type Scenario, same } from "../../scenario.ts";
import { byRule, json, page, type RuleRow, xml } from "./by-rule.ts";

const body = (inner: string) => `<main><h1>Stock list</h1>${inner}</main><footer>12 Mill Lane</footer>`;
const list = (...items: string[]) => body(`<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`);
const row = (...cells: string[]) =>
  body(`<table><tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr></table>`);
const links = (...hrefs: string[]) =>
  body(hrefs.map((href) => `<p><a href="${href}">Read on</a></p>`).join(""));
const select = (selector: string) => ({ selector });
const ignore = (...rules: string[]) => ({ ignore: rules });

const values: RuleRow[] = [
  [
    "count() of elements grows",
    select("xpath:count(//li)"),
    [list("a", "b"), list("a", "b", "c")],
    alerted(["2", "3"]),
  ],
  [
    "text nodes beside a computed value",
    select("xpath:count(//li)\nxpath://h2/text()"),
    [`${list("a")}<h2>Open</h2>`, `${list("a")}<h2>Closed</h2>`],
    alerted(["Open", "Closed"]),
  ],
  [
    "count() stays although the elements change",
    select("xpath:count(//li)"),
    [list("a", "b"), list("c", "d")],
    same,
  ],
  [
    "string() of an element changes",
    select("xpath:string(//h1)"),
    [page("<h1>Open</h1>"), page("<h1>Closed</h1>")],
    alerted(["Open", "Closed"]),
  ],
  ["string() stays while the page changes", select("xpath:string(//h1)"), [list("a"), list("b")], same],
  [
    "an id changes",
    select("xpath://div[2]/@id"),
    [body('<div id=a></div><div id="b1"></div>'), body('<div id=a></div><div id="b2"></div>')],
    alerted(["b1", "b2"]),
  ],
  [
    "another element's id changes",
    select("xpath://div[2]/@id"),
    [body("<div id=a></div><div id=b></div>"), body("<div id=c></div><div id=b></div>")],
    same,
  ],
  [
    "the content of a meta element changes",
    select("xpath://meta[@name='version']/@content"),
    ['<meta name=version content="1.4"><p>Text</p>', '<meta name=version content="1.5"><p>Text</p>'],
    alerted(["1.4", "1.5"]),
  ],
  [
    "a link leads elsewhere under the same words",
    select("xpath://a/@href"),
    [links("/one", "/two"), links("/one", "/three")],
    alerted(["/two", "/three"]),
  ],
  ["a link is added", select("xpath://a/@href"), [links("/one"), links("/one", "/two")], alerted(["/two"])],
  [
    "a link's words change, not its address",
    select("xpath://a/@href"),
    [body('<a href="/x">Read</a>'), body('<a href="/x">Open</a>')],
    same,
  ],
  [
    "the address of an image changes",
    select("xpath://img/@src"),
    [body('<img src="/a.png">'), body('<img src="/b.png">')],
    alerted(["/b.png"]),
  ],
  [
    "a data attribute changes",
    select("xpath://*[@data-stock]/@data-stock"),
    [body("<b data-stock=5>Lamp</b>"), body("<b data-stock=0>Lamp</b>")],
    alerted(["5", "0"]),
  ],
  [
    "a value is computed from two",
    select("xpath:number(//b) * number(//i)"),
    [body("<b>2</b><i>3</i>"), body("<b>2</b><i>4</i>")],
    alerted(["6", "8"]),
  ],
  [
    "a comparison becomes true",
    select("xpath:count(//li) > 2"),
    [list("a", "b"), list("a", "b", "c")],
    alerted(["false", "true"]),
  ],
  ["a comparison stays false", select("xpath:count(//li) > 5"), [list("a", "b"), list("a", "b", "c")], same],
  [
    "a part of a text is cut out",
    select("xpath:substring-after(//p, 'Total: ')"),
    [body("<p>At noon. Total: 7</p>"), body("<p>At one. Total: 9</p>")],
    alerted(["7", "9"]),
  ],
  [
    "the rest of that text changes",
    select("xpath:substring-after(//p, 'Total: ')"),
    [body("<p>At noon. Total: 7</p>"), body("<p>At one. Total: 7</p>")],
    same,
  ],
  [
    "texts are joined",
    select("xpath:string-join(//li, ' / ')"),
    [list("a", "b"), list("a", "c")],
    alerted(["a / b", "a / c"]),
  ],
  [
    "text() of an element with others inside",
    select("xpath://p/text()"),
    [body("<p>Price <b>5</b></p>"), body("<p>Cost <b>5</b></p>")],
    alerted(["Cost"]),
  ],
  [
    "matches() with the flag i",
    select("xpath://li[matches(., 'LAMP', 'i')]"),
    [list("Red lamp", "Door 1"), list("Red lamp", "Door 2")],
    same,
  ],
  [
    "what matches() with the flag i finds changes",
    select("xpath://li[matches(., 'LAMP', 'i')]"),
    [list("Red lamp 1", "Door"), list("Red lamp 2", "Door")],
    alerted(["Red lamp 2"]),
  ],
  [
    "matches() without flags",
    select("xpath://li[matches(., '^Lamp')]"),
    [list("Lamp 1", "A Lamp 1"), list("Lamp 1", "A Lamp 2")],
    same,
  ],
  [
    "tokens are counted",
    select("xpath:count(tokenize(//p, ','))"),
    [body("<p>a,b</p>"), body("<p>a,b,c</p>")],
    alerted(["2", "3"]),
  ],
  [
    "a value that goes missing fails the check",
    select("xpath://div/@data-id"),
    [body("<div data-id=7></div>"), body("<div></div>")],
    failed(),
  ],
  [
    "values and elements together",
    select("xpath://h2/@id\n.note"),
    [body("<h2 id=x>A</h2><p class=note>Old</p>"), body("<h2 id=x>B</h2><p class=note>New</p>")],
    alerted(["New"]),
  ],
  [
    "of values and elements the rest changes",
    select("xpath://h2/@id\n.note"),
    [body("<h2 id=x>A</h2><p class=note>Old</p>"), body("<h2 id=x>B</h2><p class=note>Old</p>")],
    same,
  ],
  [
    "a conditional expression",
    select("xpath:if (//li[contains(., 'Sold')]) then 'gone' else 'there'"),
    [list("Lamp"), list("Lamp, Sold out")],
    alerted(["there", "gone"]),
  ],
  [
    "distinct values",
    select("xpath:distinct-values(//li)"),
    [list("lamp", "lamp", "door"), list("lamp", "door")],
    same,
  ],
];

const elements: RuleRow[] = [
  [
    "one cell, while others change",
    select("xpath:(//td)[2]"),
    [row("1", "stays", "2"), row("3", "stays", "4")],
    same,
  ],
  [
    "that cell changes",
    select("xpath:(//td)[2]"),
    [row("1", "red", "2"), row("1", "blue", "2")],
    alerted(["red", "blue"]),
  ],
  [
    "words in one line that match are told one by one",
    select(".v"),
    [
      body("<p>A <b class=v>10</b> of <b class=v>20</b></p>"),
      body("<p>A <b class=v>10</b> of <b class=v>30</b></p>"),
    ],
    { is: "alerted", says: ["“20” → “30”"] },
  ],
  [
    "inline matches next to each other",
    select("em"),
    [body("<p><em>left</em><em>right</em></p>"), body("<p><em>left</em><em>wrong</em></p>")],
    { is: "alerted", says: ["“right” → “wrong”"] },
  ],
  [
    "a class",
    select(".price"),
    [body("<p class=price>5</p><p>a</p>"), body("<p class=price>6</p><p>b</p>")],
    alerted(["5", "6"]),
  ],
  [
    "outside that class",
    select(".price"),
    [body("<p class=price>5</p><p>a</p>"), body("<p class=price>5</p><p>b</p>")],
    same,
  ],
  [
    "an id, a child, an attribute",
    select("#list > li[data-k='b']"),
    [
      body("<ul id=list><li data-k=a>1</li><li data-k=b>2</li></ul>"),
      body("<ul id=list><li data-k=a>9</li><li data-k=b>2</li></ul>"),
    ],
    same,
  ],
  [
    "two selectors, one per line",
    select("h2\n.price"),
    [body("<h2>A</h2><p class=price>5</p>"), body("<h2>B</h2><p class=price>5</p>")],
    alerted(["A", "B"]),
  ],
  [":has()", select("li:has(b)"), [list("<b>x</b> 1", "y 1"), list("<b>x</b> 1", "y 2")], same],
  [":nth-child()", select("li:nth-child(2)"), [list("a", "b", "c"), list("x", "b", "y")], same],
  [
    ":not()",
    select("li:not(.ad)"),
    [body("<ul><li>a<li class=ad>1</ul>"), body("<ul><li>a<li class=ad>2</ul>")],
    same,
  ],
  [
    "an axis of XPath",
    select("xpath://h2[.='Hours']/following-sibling::p[1]"),
    [body("<h2>Hours</h2><p>9-5</p><p>x</p>"), body("<h2>Hours</h2><p>9-6</p><p>y</p>")],
    alerted(["9-6"]),
  ],
  ["the last element", select("xpath://li[last()]"), [list("a", "b"), list("z", "b")], same],
  [
    "a selector that matches nothing fails the check",
    select(".gone"),
    [body("<p>a</p>"), body("<p>b</p>")],
    failed(),
  ],
  ["what is chosen goes away", select(".note"), [body("<p class=note>a</p>"), body("<p>a</p>")], failed()],
  [
    "a textarea's text",
    select("textarea"),
    [body("<textarea>one</textarea>"), body("<textarea>two</textarea>")],
    alerted(["two"]),
  ],
  [
    "rows of a table",
    select("tbody tr"),
    [
      body("<table><tbody><tr><td>a</td><td>1</td></tbody></table>"),
      body("<table><tbody><tr><td>a</td><td>2</td></tbody></table>"),
    ],
    alerted(["2"]),
  ],
  [
    "paragraphs that only change their order",
    select("p"),
    [
      body(
        "<p>First of all somebody said a thing</p><p>Then another one said something else</p><p>In the end all went home again</p>",
      ),
      body(
        "<p>In the end all went home again</p><p>First of all somebody said a thing</p><p>Then another one said something else</p>",
      ),
    ],
    noise,
  ],
  ["a leading space goes", select("p"), [body("<p> Words</p>"), body("<p>Words</p>")], same],
  [
    "an image's cache key",
    select(".hero"),
    [
      body('<div class=hero><img src="/a.jpg?v=%digits:9%" alt=""></div>'),
      body('<div class=hero><img src="/a.jpg?v=%digits:9%" alt=""></div>'),
    ],
    same,
  ],
];

const film = (src: string) =>
  body(`<p>Watch it</p><div class=film><iframe src="${src}" width=300 height=200></iframe></div>`);
const hero = (src: string, words = "") =>
  body(`<p>Shop</p><div class=hero><img src="${src}" alt="">${words}</div>`);

const addresses: RuleRow[] = [
  [
    "a chosen image has another address",
    select(".hero"),
    [hero("/can.png"), hero("/broken-can.png")],
    { is: "alerted", says: ["A picture changed: broken-can.png"] },
  ],
  [
    "the image itself is chosen",
    select("xpath://img"),
    [hero("/can.png"), hero("/broken-can.png")],
    { is: "alerted", says: ["A picture changed: broken-can.png"] },
  ],
  [
    "one of several chosen images is replaced",
    select(".hero img"),
    [
      body("<div class=hero><img src=/a.png><img src=/b.png><img src=/c.png></div>"),
      body("<div class=hero><img src=/c.png><img src=/a.png><img src=/d.png></div>"),
    ],
    { is: "alerted", says: ["A picture changed: d.png"] },
  ],
  [
    "an image beside chosen words",
    select(".hero"),
    [hero("/can.png", "<p>Cans</p>"), hero("/broken-can.png", "<p>Cans</p>")],
    same,
  ],
  ["an image outside of what is chosen", select("p"), [hero("/can.png"), hero("/broken-can.png")], same],
  [
    "a chosen frame shows another page",
    select(".film"),
    [film("/films/one"), film("/films/two")],
    { is: "alerted", says: ["/films/two"] },
  ],
  [
    "the frame itself is chosen",
    select("iframe"),
    [film("/films/one"), film("/films/two")],
    { is: "alerted", says: ["/films/two"] },
  ],
  [
    "a frame among chosen words shows another page",
    select("main"),
    [film("/films/one"), film("/films/two")],
    alerted(["/films/two"]),
  ],
  [
    "a token in a frame's address",
    select(".film"),
    [film("/films/one?session=%digits:12%"), film("/films/one?session=%digits:12%")],
    same,
  ],
];

const ignored: RuleRow[] = [
  [
    "a class that is ignored",
    ignore(".ad"),
    [body("<p>a</p><p class=ad>Buy 1</p>"), body("<p>a</p><p class=ad>Buy 2</p>")],
    same,
  ],
  [
    "the rest is compared",
    ignore(".ad"),
    [body("<p>a</p><p class=ad>Buy 1</p>"), body("<p>b</p><p class=ad>Buy 2</p>")],
    alerted(["b"]),
  ],
  [
    "a text in a line",
    ignore("people online"),
    [body("<p>Lamp</p><p>7 people online</p>"), body("<p>Lamp</p><p>9 people online</p>")],
    same,
  ],
  [
    "in upper case",
    ignore("PEOPLE ONLINE"),
    [body("<p>Lamp</p><p>7 people online</p>"), body("<p>Lamp</p><p>9 people online</p>")],
    same,
  ],
  ["a pattern", ignore("/\\d+ views/"), [body("<p>Lamp, 17 views</p>"), body("<p>Lamp, 19 views</p>")], same],
  [
    "what is beside a pattern",
    ignore("/\\d+ views/"),
    [body("<p>Lamp, 17 views</p>"), body("<p>Door, 19 views</p>")],
    alerted(["Door"]),
  ],
  [
    "a pattern with the flag i",
    ignore("/UPDATED .*/i"),
    [body("<p>Lamp. Updated at 5</p>"), body("<p>Lamp. Updated at 6</p>")],
    same,
  ],
  [
    "an XPath",
    ignore("xpath://p[contains(., 'Weather')]"),
    [body("<p>a</p><p>Weather: rain</p>"), body("<p>a</p><p>Weather: sun</p>")],
    same,
  ],
  [
    "quoted words that look like an element",
    ignore('"footer"'),
    [body("<p>Our footer says 1</p><p>a</p>"), body("<p>Our footer says 2</p><p>a</p>")],
    same,
  ],
  [
    "several rules",
    ignore(".ad", "/\\d+ left/", "Updated"),
    [
      body("<p class=ad>1</p><p>Lamp 5 left</p><p>Updated 1</p>"),
      body("<p class=ad>2</p><p>Lamp 6 left</p><p>Updated 2</p>"),
    ],
    same,
  ],
  [
    "inside what is chosen",
    { selector: "main", ignore: [".ad"] },
    [body("<p>a</p><i class=ad>1</i>"), body("<p>a</p><i class=ad>2</i>")],
    same,
  ],
  [
    "an ignored block appears",
    ignore(".banner"),
    [body("<p>a</p>"), body("<p class=banner>Sale!</p><p>a</p>")],
    same,
  ],
  [
    "an ignored line appears",
    ignore("cookies"),
    [body("<p>a</p>"), body("<p>a</p><p>We use cookies</p>")],
    same,
  ],
];

const empty: Answer = { body: "" };
const emptyReplies: RuleRow[] = [
  ["a page without any content", {}, [body("<p>a</p>"), empty], failed(["empty reply"])],
  ["a body of white space", {}, [body("<p>a</p>"), { body: " \n\n" }], failed(["empty reply"])],
  [
    "it is never what later checks are compared with",
    {},
    [body("<p>Lamp</p>"), empty, body("<p>Lamp</p>"), empty, body("<p>Door</p>")],
    failed(["empty reply"]),
    same,
    failed(["empty reply"]),
    alerted(["Lamp", "Door"]),
  ],
  ["an empty feed", {}, [xml()("<r>1</r>"), { body: "", type: "application/xml" }], failed(["empty reply"])],
  [
    "an empty JSON body",
    {},
    [json('{"a":1}'), { body: "", type: "application/json" }],
    failed(["empty reply"]),
  ],
  ["an empty list is content", {}, [json('["a"]'), json("[]")], alerted(["a"])],
  ["a page without words is content", {}, [body("<img src=/a.png>"), body("<img src=/a.png>")], same],
];

export const chosenRules: Scenario[] = [
  ...byRule("rules: values", page, values),
  ...byRule("rules: elements", page, elements),
  ...byRule("rules: addresses", page, addresses),
  ...byRule("rules: ignored", page, ignored),
  ...byRule("rules: empty reply", page, emptyReplies),
];
