import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory, unlearn } from "./noise-memory/noise-memory.ts";
import { snapshotOf } from "./snapshot/create-snapshot.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";
import type { Verdict } from "./verdict/verdict.ts";

const rules = `<h1>House rules</h1><p>Guests keep the kitchen clean and lock the door when they leave.</p>
<p>The deposit of 200 € is paid back after the last check of the rooms.</p>`;

function page(main: string, { head = "", afterMain = "" } = {}): Snapshot {
  const html = `<!doctype html><html><head><title>Rules</title>${head}</head><body><main>${main}</main>${afterMain}</body></html>`;
  return snapshotOf(html, "html", "https://www.example.test/rules");
}

function judge(before: Snapshot, after: Snapshot): Verdict {
  return compare(before, after, emptyMemory()).verdict;
}

test("counters, times, tokens and versions are listed with their reason, in text and in tags", () => {
  const shown = (seen: number, ms: number, token: string, version: string) =>
    page(`${rules}<p>${seen} people are looking at this page.</p><p>Posted ${ms} minutes ago</p>`, {
      head: `<meta name="csrf-token" content="${token}"><link rel="stylesheet" href="/site.css?v=${version}">`,
    });
  const before = shown(61, 12, "9ca3b14f20582360e5e4b473455ac693", "7931b935");
  const after = shown(44, 73, "f6f475e3975cada996f40093a9963bae", "2493ec89");
  const { changed, ignored } = judge(before, after);
  expect(changed).toBe(false);
  expect(ignored.map(({ why, after: now }) => [why, now])).toEqual([
    ["counter", "44 people are looking at this page."],
    ["time", "Posted 73 minutes ago"],
    ["token", '<meta content="f6f475e3975cada996f40093a9963bae" name="csrf-token">'],
    ["token", '<link href="/site.css?v=2493ec89" rel="stylesheet">'],
  ]);
});

describe("noise that the user wants alerts for", () => {
  const cases: [string, Snapshot, Snapshot][] = [
    [
      "a widget",
      page(rules),
      page(rules, { afterMain: '<div id="intercom-container">Hi! How can we help?</div>' }),
    ],
    [
      "a tracking script",
      page(rules),
      page(rules, { head: '<script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>' }),
    ],
    [
      "a counter",
      page(`${rules}<p class="seen">61 people are looking at this page.</p>`),
      page(`${rules}<p class="seen">44 people are looking at this page.</p>`),
    ],
    [
      "the time in a file",
      snapshotOf("Rules\nGenerated 2026-01-02 03:04:05", "text", "https://www.example.test/rules.txt"),
      snapshotOf("Rules\nGenerated 2026-01-03 04:05:06", "text", "https://www.example.test/rules.txt"),
    ],
  ];
  test.each(cases)("%s", (_, before, after) => {
    const quiet = judge(before, after);
    expect(quiet.changed).toBe(false);
    const places = quiet.ignored.map(({ place }) => place);
    expect(places).not.toEqual([]);
    const memory = places.reduce((known, place) => unlearn(known, place), emptyMemory());
    const { changed, ignored } = compare(before, after, memory).verdict;
    expect(changed).toBe(true);
    // The surrounding markup stays suppressed, since it says nothing.
    expect(ignored.filter(({ why }) => why !== "markup")).toEqual([]);
  });
});

describe("noise", () => {
  const cases: [string, Snapshot, Snapshot][] = [
    [
      "script nonce",
      page(rules, { head: '<script nonce="aB3xY9">go()</script>' }),
      page(rules, { head: '<script nonce="Zq81Lm">go()</script>' }),
    ],
    [
      "csrf token",
      page(rules, { head: '<meta name="csrf-token" content="MD4uPgI2AlUDWw16">' }),
      page(rules, { head: '<meta name="csrf-token" content="Jit8EwMMFyIwIBBZ">' }),
    ],
    [
      "hidden form token",
      page(`${rules}<form><input type=hidden name=t value=a1b2></form>`),
      page(`${rules}<form><input type=hidden name=t value=c3d4></form>`),
    ],
    [
      "session id in a link",
      page(`${rules}<a href="/a?sid=9f86d081884c7d65">Map</a>`),
      page(`${rules}<a href="/a?sid=60303ae22b998861">Map</a>`),
    ],
    [
      "cache buster",
      page(rules, { head: '<script src="/app.js?v=1201"></script>' }),
      page(rules, { head: '<script src="/app.js?v=1202"></script>' }),
    ],
    [
      "build hash",
      page(rules, { head: '<script src="/main.4f3a9c1e.js"></script>' }),
      page(rules, { head: '<script src="/main.b81d77aa.js"></script>' }),
    ],
    ["relative time", page(`${rules}<p>Posted 5 minutes ago</p>`), page(`${rules}<p>Posted 2 hours ago</p>`)],
    ["relative time, German", page(`${rules}<p>vor 5 Minuten</p>`), page(`${rules}<p>vor 3 Stunden</p>`)],
    ["counter", page(`${rules}<p>1,204 views</p>`), page(`${rules}<p>1,377 views</p>`)],
    ["clock", page(`${rules}<div>12:09 AM</div>`), page(`${rules}<div>1:44 PM</div>`)],
    [
      "copyright year",
      page(rules, { afterMain: "<footer>© 2025 Example</footer>" }),
      page(rules, { afterMain: "<footer>© 2026 Example</footer>" }),
    ],
    [
      "rotating quote",
      page(`${rules}<div class="testimonial-slider"><p>Quick and simple, says Ann</p></div>`),
      page(`${rules}<div class="testimonial-slider"><p>Never late, writes Bo</p></div>`),
    ],
    [
      "advertisement",
      page(rules, { afterMain: '<div class="ad-slot">Lamp for 9 €</div>' }),
      page(rules, { afterMain: '<div class="ad-slot">Chair for 70 €</div>' }),
    ],
    [
      "variant class",
      page(`<div class="exp-a1b2">${rules}</div>`),
      page(`<div class="exp-c3d4">${rules}</div>`),
    ],
    [
      "css module",
      page(`<div class="Card_box__x3fQ2">${rules}</div>`),
      page(`<div class="Card_box__k9zP1">${rules}</div>`),
    ],
    [
      "random ids",
      page(`${rules}<label for="f-a1b2c3">Name</label><input id="f-a1b2c3">`),
      page(`${rules}<label for="f-d4e5f6">Name</label><input id="f-d4e5f6">`),
    ],
    [
      "order of attributes and classes",
      page('<p id="a" class="x y">Keep the door locked.</p>'),
      page('<p class="y x" id="a">Keep the door locked.</p>'),
    ],
    [
      "consent banner",
      page(rules),
      page(rules, {
        afterMain:
          '<div id="onetrust-banner-sdk"><p>We use cookies on this site.</p><button>Accept all</button></div>',
      }),
    ],
    [
      "consent dialog longer than the page",
      page(rules),
      page(rules, {
        afterMain: `<div id="onetrust-consent-sdk">${"<p>Our partners store what they learn of you on your device.</p>".repeat(40)}<button>Accept all</button><button>Reject all</button></div>`,
      }),
    ],
    [
      "consent dialog without names",
      page(rules),
      page(rules, {
        afterMain:
          "<div><h3>We value your privacy</h3><p>We use cookies.</p><button>Accept all cookies</button></div>",
      }),
    ],
    [
      "chat widget",
      page(rules),
      page(rules, { afterMain: '<div id="intercom-container">Hi! How can we help?</div>' }),
    ],
    [
      "tracking pixel",
      page(rules, { afterMain: '<img src="https://www.facebook.com/tr?id=1&ev=a8Xq">' }),
      page(rules, { afterMain: '<img src="https://www.facebook.com/tr?id=1&ev=Zp0L">' }),
    ],
    [
      "tracking script",
      page(rules),
      page(rules, { head: '<script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>' }),
    ],
    [
      "page data",
      page(rules, { head: '<script id="__NEXT_DATA__" type="application/json">{"buildId":"a1"}</script>' }),
      page(rules, { head: '<script id="__NEXT_DATA__" type="application/json">{"buildId":"b2"}</script>' }),
    ],
    [
      "obfuscated mail",
      page(
        `${rules}<a href="/cdn-cgi/l/email-protection#0061406278"><span data-cfemail="0061406278">[email protected]</span></a>`,
      ),
      page(
        `${rules}<a href="/cdn-cgi/l/email-protection#0160416379"><span data-cfemail="0160416379">[email protected]</span></a>`,
      ),
    ],
    [
      "basket and sign-in",
      page(rules, { afterMain: '<header><a href="/login">Sign in</a></header>' }),
      page(rules, { afterMain: '<header><a href="/cart">Cart (2)</a></header>' }),
    ],
    [
      "blocks in another order",
      page("<ul><li>Oranges from the south</li><li>Apples from the north</li></ul>"),
      page("<ul><li>Apples from the north</li><li>Oranges from the south</li></ul>"),
    ],
    ["white space", page(rules), page(rules.replaceAll(">", ">\n   ").replaceAll(" ", "  "))],
  ];
  test.each(cases)("%s", (_name, before, after) => {
    const verdict = judge(before, after);
    expect(verdict.reasons.filter((reason) => reason.severity !== "info")).toEqual([]);
    expect(verdict).toMatchObject({ changed: false, severity: "info", summary: "No change" });
  });
});

describe("edits", () => {
  const cases: [string, string, Snapshot, Snapshot][] = [
    ["word", "“Guests keep the kitchen” clean → dirty", page(rules), page(rules.replace("clean", "dirty"))],
    ["price", "“The deposit of” 200 € → 300 €", page(rules), page(rules.replace("200 €", "300 €"))],
    [
      "price alone",
      "House rules: 49.00 € → 59.00 €",
      page(`${rules}<p>49.00 €</p>`),
      page(`${rules}<p>59.00 €</p>`),
    ],
    [
      "deadline",
      "“Apply before” 12 March → 30 April",
      page(`${rules}<p>Apply before 12 March 2026.</p>`),
      page(`${rules}<p>Apply before 30 April 2026.</p>`),
    ],
    [
      "version",
      "“Version” 4.2.1 → 4.2.2",
      page(`${rules}<p>Version 4.2.1</p>`),
      page(`${rules}<p>Version 4.2.2</p>`),
    ],
    [
      "opening hours",
      "“Open 9:00 -” 17:00 → 15:00",
      page(`${rules}<p>Open 9:00 - 17:00</p>`),
      page(`${rules}<p>Open 9:00 - 15:00</p>`),
    ],
    [
      "checksum",
      "“SHA-256 9f86d081884c7d659a2feaa0c55ad015” → “SHA-256 60303ae22b998861bce3b28f33eec1be”",
      page(`${rules}<p>SHA-256 9f86d081884c7d659a2feaa0c55ad015</p>`),
      page(`${rules}<p>SHA-256 60303ae22b998861bce3b28f33eec1be</p>`),
    ],
    ["paragraph added", "“No pets.” added", page(rules), page(`${rules}<p>No pets.</p>`)],
    ["paragraph removed", "“No pets.” removed", page(`${rules}<p>No pets.</p>`), page(rules)],
    [
      "words swapped",
      "“The” tenant → landlord",
      page("<p>The tenant pays the landlord on the first day.</p>"),
      page("<p>The landlord pays the tenant on the first day.</p>"),
    ],
    [
      "table cell",
      "Irvine: 100 → 103",
      page("<table><tr><th>Irvine</th><td>100</td></tr></table>"),
      page("<table><tr><th>Irvine</th><td>103</td></tr></table>"),
    ],
    [
      "entry of a small menu",
      "“Security” added in the menu",
      page(rules, { afterMain: '<nav><a href="/a">Home</a></nav>' }),
      page(rules, {
        afterMain: '<nav><ul><li><a href="/a">Home</a></li><li><a href="/s">Security</a></li></ul></nav>',
      }),
    ],
    [
      "text inside a dialog that stays",
      "“We keep your data for” thirty → ninety",
      page(rules, {
        afterMain: '<div role="dialog"><p>We keep your data for thirty days after the last visit.</p></div>',
      }),
      page(rules, {
        afterMain: '<div role="dialog"><p>We keep your data for ninety days after the last visit.</p></div>',
      }),
    ],
    [
      "collapsed answer",
      "“Returns are free for” 30 → 14, not shown",
      page('<div style="display:none"><p>Returns are free for 30 days.</p></div>'),
      page('<div style="display:none"><p>Returns are free for 14 days.</p></div>'),
    ],
    [
      "title",
      "Title is now “Closed”",
      page(rules),
      snapshotOf(
        page(rules).html.replace("<title>Rules", "<title>Closed"),
        "html",
        "https://www.example.test/rules",
      ),
    ],
    [
      "link path",
      "Link “Map” leads elsewhere",
      page(`${rules}<a href="/map">Map</a>`),
      page(`${rules}<a href="/old/map">Map</a>`),
    ],
    [
      "link host",
      "Link “Map” leads to maps.example",
      page(`${rules}<a href="/map">Map</a>`),
      page(`${rules}<a href="https://maps.example/map">Map</a>`),
    ],
    [
      "mail link",
      "Mail link now goes to b@other.example",
      page(`${rules}<a href="mailto:a@example.test">Write</a>`),
      page(`${rules}<a href="mailto:b@other.example">Write</a>`),
    ],
    [
      "obfuscated mail",
      "Mail link now goes to b@bx",
      page(`${rules}<a href="/cdn-cgi/l/email-protection#0061406278">Write</a>`),
      page(`${rules}<a href="/cdn-cgi/l/email-protection#0062406278">Write</a>`),
    ],
    [
      "form target",
      "Form sends to in.example",
      page(`${rules}<form action="/q"></form>`),
      page(`${rules}<form action="https://in.example/q"></form>`),
    ],
    [
      "password asked for",
      "New form asks for a password",
      page(`${rules}<form action="/q"></form>`),
      page(`${rules}<form action="/q"><input type="password"></form>`),
    ],
    [
      "script host",
      "New script host cdn.example",
      page(rules),
      page(rules, { head: '<script src="https://cdn.example/j.js"></script>' }),
    ],
    [
      "script of another project on an open CDN",
      "New script host cdn.jsdelivr.net",
      page(rules, { head: '<script src="https://cdn.jsdelivr.net/npm/jquery@3"></script>' }),
      page(rules, {
        head: '<script src="https://cdn.jsdelivr.net/npm/jquery@3"></script><script src="https://cdn.jsdelivr.net/npm/evil@1"></script>',
      }),
    ],
    [
      "tag manager container",
      "New tag manager container GTM-ABC123",
      page(rules),
      page(rules, { head: '<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC123"></script>' }),
    ],
    [
      "inline script",
      "Inline script names a new host drop.example",
      page(rules),
      page(rules, {
        head: '<script>document.addEventListener("submit",function(){new Image().src="//drop.example/x"})</script>',
      }),
    ],
    [
      "packed script",
      "New inline script: runs text as code",
      page(rules),
      page(rules, { head: '<script>eval(atob("YQ=="))</script>' }),
    ],
    [
      "event handler",
      "Event handler names a new host steal.example",
      page(`${rules}<img src="/a.png">`),
      page(`${rules}<img src="/a.png" onerror="fetch('https://steal.example/')">`),
    ],
    [
      "iframe",
      "New iframe from ads.example",
      page(rules),
      page(rules, { afterMain: '<iframe src="https://ads.example/"></iframe>' }),
    ],
    [
      "refresh",
      "Page now leads to away.example",
      page(rules),
      page(rules, { head: '<meta http-equiv="refresh" content="0; url=https://away.example/">' }),
    ],
    [
      "hidden link",
      "Hidden link to spam.example",
      page(rules),
      page(rules, {
        afterMain:
          '<div style="position:absolute;left:-9999px"><a href="https://spam.example/">shears</a></div>',
      }),
    ],
    [
      "base address",
      "Base address now cdn.example",
      page(rules),
      page(rules, { head: '<base href="https://cdn.example/">' }),
    ],
  ];
  test.each(cases)("%s: %s", (_name, summary, before, after) => {
    const verdict = judge(before, after);
    expect(verdict.changed).toBe(true);
    expect(verdict.reasons.map((reason) => reason.summary)).toContain(summary);
  });

  test("the summary names the worst reason and what readers see, and counts the rest", () => {
    const before = page(rules);
    const both = { ...page(`${rules}<p>One more rule.</p>`), status: 404 };
    expect(judge(before, both).summary).toBe("Status 200 → 404; “One more rule.” added");
    const three = { ...both, headers: [["server", "x"]] as [string, string][] };
    expect(judge({ ...before, headers: [["x-frame-options", "DENY"]] }, three).summary).toMatch(
      /^Status 200 → 404; “One more rule.” added; 1 more change$/,
    );
  });

  test("marks the words that changed", () => {
    const [reason] = judge(page("<p>Keep the door open.</p>"), page("<p>Keep the door locked.</p>")).reasons;
    expect(reason).toEqual({
      kind: "text",
      severity: "notice",
      summary: "“Keep the door” open → locked",
      changes: [
        {
          id: expect.any(String),
          where: "main",
          before: "Keep the door open.",
          after: "Keep the door locked.",
          words: [
            { op: "same", text: "Keep the door " },
            { op: "removed", text: "open" },
            { op: "added", text: "locked" },
            { op: "same", text: "." },
          ],
        },
      ],
      count: 1,
    });
  });

  test("a page replaced by a challenge is an outage, by a hacker's message or spam a defacement", () => {
    const long = page(rules.repeat(6));
    const bare = (body: string) =>
      snapshotOf(`<html><body>${body}</body></html>`, "html", "https://www.example.test/rules");
    const kind = (after: Snapshot) => judge(long, after).reasons[0]?.kind;
    expect(kind(bare("<p>Verify you are human to continue.</p>"))).toBe("outage");
    expect(kind(bare("<h1>Hacked by Paper Tigers</h1>"))).toBe("defacement");
    expect(kind(bare("<p>Buy cheap lamps here today, best lamps in town.</p>"))).toBe("defacement");
  });

  test("a changed word in a single long line is an edit, not a replaced page", () => {
    const line = (word: string) => page(`<p>${"Some words of a line that goes on. ".repeat(30)}${word}</p>`);
    expect(judge(line("first"), line("second"))).toMatchObject({
      severity: "notice",
      summary: "“…of a line that goes on.” first → second",
    });
  });

  test("a page that grew many times over is an addition, not a replaced page", () => {
    const long = rules.repeat(6);
    const grown = judge(page(long), page(`${long}<p>${"And so on it goes. ".repeat(2000)}</p>`));
    expect(grown).toMatchObject({
      changed: true,
      summary: expect.stringMatching(/^“And so on it goes.*” added$/),
    });
  });

  test("a changed status, header, cookie or redirect is reported although the content is the same", () => {
    const before = { ...page(rules), headers: [["x-frame-options", "DENY"]] as [string, string][] };
    const cookie = { name: "sid", domain: "example.test", secure: true, httpOnly: true, sameSite: "Lax" };
    expect(judge({ ...before, status: 404 }, { ...before, status: 200 }).summary).toBe("Status 404 → 200");
    expect(judge(before, { ...before, headers: [["server", "x"]] }).summary).toBe(
      "Header x-frame-options is gone",
    );
    expect(
      judge({ ...before, cookies: [cookie] }, { ...before, cookies: [{ ...cookie, httpOnly: false }] })
        .summary,
    ).toBe("Cookie sid lost HttpOnly");
    expect(judge(before, { ...before, finalUrl: "https://other.example/" }).reasons[0]?.kind).toBe(
      "redirect",
    );
  });

  test("another nonce in the content security policy is no change, another source is", () => {
    const csp = (value: string) => ({
      ...page(rules),
      headers: [["content-security-policy", value]] as [string, string][],
    });
    expect(judge(csp("script-src 'self' 'nonce-a1'"), csp("script-src 'nonce-b2' 'self'")).changed).toBe(
      false,
    );
    expect(judge(csp("script-src 'self'"), csp("script-src 'self' *")).changed).toBe(true);
  });

  test("pictures that are less than 80% similar are a change", () => {
    const same = page(rules);
    const verdictAt = (similarity: number) =>
      compare(same, same, emptyMemory(), { similarity, regions: [] }).verdict;
    expect(verdictAt(80)).toMatchObject({ changed: false, similarity: 80 });
    expect(verdictAt(79.9)).toMatchObject({
      changed: true,
      summary: "Looks 20% different",
      similarity: 79.9,
    });
  });
});

describe("properties", () => {
  const word = fc.constantFrom("lamp", "door", "rent", "12", "€", "guest", "<b>", "</b>", "&amp;", "key");
  const block = fc.tuple(
    fc.constantFrom("p", "li", "h2", "td", "nav", "footer", "a href=/x", "script", "div hidden"),
    fc.array(word, { maxLength: 6 }),
  );
  const html = fc
    .array(block, { maxLength: 12 })
    .map((blocks) =>
      blocks.map(([tag, words]) => `<${tag}>${words.join(" ")}</${tag.split(" ")[0]}>`).join(""),
    );

  test("compare(x, x) is never a change", () => {
    fc.assert(
      fc.property(fc.oneof(html, fc.string()), (text) => {
        const verdict = judge(page(text), page(text));
        expect(verdict).toMatchObject({
          changed: false,
          similarity: 100,
          reasons: [],
          hunks: [],
          ignored: [],
          findings: [],
        });
      }),
    );
  });

  test("similarity is symmetric, and the same input gives the same verdict", () => {
    fc.assert(
      fc.property(html, html, (a, b) => {
        const forward = judge(page(a), page(b));
        expect(judge(page(b), page(a)).similarity).toBe(forward.similarity);
        expect(JSON.stringify(judge(page(a), page(b)))).toBe(JSON.stringify(forward));
      }),
    );
  });

  test("noise never hides a change elsewhere on the page", () => {
    const noise = fc.constantFrom(
      "5 minutes ago",
      "1,204 views",
      "Request ID: a813b3c2709db5a3",
      "Page generated in 0.2 seconds",
    );
    fc.assert(
      fc.property(
        noise,
        noise,
        fc.constantFrom("", "<div class='ad-slot'>Lamp</div>", "<div id='onetrust-banner-sdk'>Cookies</div>"),
        (a, b, extra) => {
          const before = page(`${rules}<p>${a}</p>`);
          const after = page(`${rules.replace("clean", "dirty")}<p>${b}</p>`, { afterMain: extra });
          expect(judge(before, after).changed).toBe(true);
        },
      ),
    );
  });
});

test("a suppressed difference shows the differing part of a text, however long the text is", () => {
  const long = "A sentence that stands as it is and says nothing new to anybody. ".repeat(20);
  const page = (time: string) =>
    snapshotOf(`<main><p>${long}Seen ${time} days ago.</p></main>`, "html", "https://example.com/");
  const { verdict } = compare(page("12"), page("34"), emptyMemory());
  expect(verdict.changed).toBe(false);
  const shown = verdict.ignored.map(({ before, after }) => [before, after].join(" → "));
  expect(shown.join("\n")).toMatch(/12 days ago.* → .*34 days ago/);
});

test.for([
  ["soft hyphens", "Donaudampfschiff", "Donau\u00addampf\u00adschiff"],
  ["zero-width spaces", "abc\u200b words", "abc words"],
  ["a composed letter", "Cafe\u0301 à la carte", "Café à la carte"],
])("text from the browser is normalized like the HTML: %s", ([, before = "", after = ""]) => {
  const page = (words: string): Snapshot => ({
    ...snapshotOf(`<main><p>${words} and so on.</p></main>`, "html", "https://example.com/"),
    text: [{ role: "paragraph", area: "main", text: `${words} and so on.` }],
  });
  expect(compare(page(before), page(after), emptyMemory()).verdict.reasons).toEqual([]);
});
