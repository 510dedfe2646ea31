// Pages that go back to a version they had, load only partly, or show a finding again.
import { news, office, shop } from "../page.ts";
import { alerted, critical, digestOnly, flip, noise, one, rows, type Scenario, same } from "../scenario.ts";

const long = (name: string, count = 8) =>
  Array.from(
    { length: count },
    (_, at) => `<p>${name}: paragraph ${at} tells at length how the barn was built and who paid for it.</p>`,
  ).join("");

const variants: Scenario[] = [
  one(
    "variant",
    "two servers answer with different long texts",
    flip(5, news(long("North")), news(long("South"))),
    alerted(),
    digestOnly,
  ),
  one(
    "variant",
    "a third version of a long text joins two known ones",
    [news(long("North")), news(long("South")), news(long("North")), news(long("West"))],
    alerted(),
    digestOnly,
    alerted(["West"]),
  ),
  one(
    "variant",
    "a link target goes back and forth",
    flip(4, office('<p><a href="/a">Book</a></p>'), office('<p><a href="/b">Book</a></p>')),
    alerted(),
    digestOnly,
  ),
  one(
    "variant",
    "stock changes while a long text alternates",
    [
      shop(`${long("North")}<p class="stock">In stock</p>`),
      shop(`${long("South")}<p class="stock">In stock</p>`),
      shop(`${long("North")}<p class="stock">Sold out</p>`),
    ],
    alerted(),
    alerted(["Sold out"]),
  ),
];

const partial: Scenario[] = [
  one(
    "partial",
    "half of a page is missing at one check",
    [news(long("North", 30)), news(long("North", 12)), news(long("North", 30))],
    digestOnly,
    same,
  ),
  one(
    "partial",
    "half of a page stays missing",
    [news(long("North", 30)), news(long("North", 12)), news(long("North", 12)), news(long("North", 12))],
    digestOnly,
    alerted(["Loads only partly"]),
    same,
  ),
  one(
    "partial",
    "the whole footer is missing at one check",
    [news(""), news("").replace(/<footer>.*<\/footer>/s, ""), news("")],
    digestOnly,
    same,
  ),
];

const canonical = (address: string) => shop({ head: `<link rel="canonical" href="${address}">` });
const visit = (token: string) =>
  ["one", "two", "three"]
    .map((name) => `<p><a href="https://${name}.example/watch?visit=${token}">See us on ${name}</a></p>`)
    .join("");
const protectedMail = (mail: string) =>
  office(
    `<p><a href="/cdn-cgi/l/email-protection#00${Buffer.from(mail).toString("hex")}">Write to us</a></p>`,
  );
const consent = (text: string) =>
  `<div id="onetrust-consent-sdk">${text}<button>Luba</button><button>Keela</button></div>`;

const script = '<script src="https://cdn.partner.example/x.js"></script>';
const login = '<form action="/in"><input name="u"><input type="password" name="p"></form>';
const findings: Scenario[] = [
  one(
    "finding",
    "a script host comes, goes and comes back",
    flip(5, shop(""), shop({ end: script })),
    critical,
    noise,
  ),
  one(
    "finding",
    "a login form comes, goes and comes back",
    [office(""), office(login), office(""), office(login)],
    alerted(),
    { is: "notLost" },
    { is: "same" },
  ),
  one(
    "finding",
    "the canonical address goes to another site, back, and there again",
    flip(4, canonical("/tools/can"), canonical("https://mirror.example/can")),
    { is: "alerted", severity: "important" },
    digestOnly,
  ),
];

const requests: Scenario[] = [
  one(
    "request",
    "links to three sites carry the number of the visit",
    [office(visit("130-5176315-5676836")), office(visit("141-8119775-0351524"))],
    noise,
  ),
  one(
    "request",
    "a link to another site carries another number",
    [
      office('<p><a href="https://one.example/watch?film=130517631">Film</a></p>'),
      office('<p><a href="https://one.example/watch?film=141811977">Film</a></p>'),
    ],
    alerted(),
  ),
  one(
    "request",
    "a mail address whose letters are escaped behind Cloudflare's protection changes",
    [protectedMail("&#x61;sk@barn.example"), protectedMail("&#x69;nf&#111;@barn.example")],
    { is: "alerted", says: ["Mail link now goes to info@barn.example"] },
  ),
  one(
    "request",
    "a header counts down in hours and minutes",
    ["9h 16m", "3h 2m"].map((left) =>
      shop({ header: `<p>Order within ${left} and your parcel leaves the old barn this evening</p>` }),
    ),
    noise,
  ),
  one(
    "request",
    "a long consent prompt in a language without a vocabulary appears",
    [office(""), office({ end: consent(long("Teave", 60)) })],
    noise,
  ),
];

const quiet: Scenario[] = [
  ...rows("invisible", (head) => shop({ head }), digestOnly, [
    [
      "robots directives that hide nothing change",
      '<meta name="robots" content="index,follow,noarchive">',
      '<meta name="robots" content="index,follow,max-snippet:-1">',
    ],
    [
      "the canonical address changes within the site",
      '<link rel="canonical" href="/tools/can">',
      '<link rel="canonical" href="/tools/watering-can">',
    ],
  ]),
  ...rows("invisible", (value) => shop(`<div hidden><p>${value}</p></div>`), digestOnly, [
    ["a number without words that nobody sees changes", "$65,833.24", "$68,539.10"],
  ]),
  ...rows("bytes", (text) => news(`<p>${text}</p>`), noise, [
    [
      "a byte that could not be decoded is shown as U+FFFD",
      "The caf\ufffd opens at nine",
      "The café opens at nine",
    ],
  ]),
  ...rows("bytes", (text) => news(`<p>${text}</p>`), alerted(), [
    [
      "a time changes next to a byte that could not be decoded",
      "The caf\ufffd opens at 9",
      "The café opens at 8",
    ],
  ]),
];

export const variantScenarios: Scenario[] = [...variants, ...partial, ...findings, ...requests, ...quiet];
