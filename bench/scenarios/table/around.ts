// What stands around the content: advertisements, banners, widgets and names that mislead.
import { news, office, shop } from "../page.ts";
import { critical, noise, rows, type Scenario, told } from "../scenario.ts";

const again = (group: string, table: [name: string, page: string][], expect = noise): Scenario[] =>
  table.map(([name, page]) => ({ class: group, name, serves: [page, page, page, page], expect: [expect] }));

const cards = (names: string) =>
  `<section class="recommended"><h2>You may also like</h2><ul>${names}</ul></section>`;
const product = (name: string) => `<li><a href="/p/${name}">${name}</a></li>`;
const six = ["hose", "barrel", "spade", "rake", "gloves", "bench"].map(product).join("|");

const rotating = again("rotation", [
  [
    "recommendations in the content",
    shop(cards(`%pick:${six}%%pick:${["kettle", "lamp", "stool"].map(product).join("|")}%`)),
  ],
  ["recommendations in another order", shop(cards(`%shuffle:${six}%`))],
  ["recommendations aside", shop({ aside: cards(`%pick:${six}%`) })],
  [
    "a quotation of the moment",
    news({
      aside: "<blockquote>%pick:The sea is patient.|Ropes remember.|Fog has no friends.%</blockquote>",
    }),
  ],
  [
    "a quotation of the moment in the content",
    news("<blockquote>%pick:The sea is patient.|Ropes remember.|Fog has no friends.%</blockquote>"),
  ],
  [
    "a picture of the moment",
    news('<img src="/hero-%pick:1|2|3%.png" alt="%pick:Pier|Boat|Gull%" width="60" height="40">'),
  ],
  ["a trial of two headlines", news("<h2>%pick:Old pier opens|The pier is back|Walk on water again%</h2>")],
  ["a trial of two buttons", shop('<p class="btn">%pick:Order now|Buy today|Get yours%</p>')],
  ["a number that jitters", office("<p>Waiting time about %digits:2% minutes</p>")],
  [
    "a picture advertisement",
    news(
      '<div class="ad-slot" id="ad-top"><a href="https://ads.example/c?%hex:16%"><img src="/ad-%pick:1|2|3%.png" alt="" width="468" height="60"></a></div>',
    ),
  ],
  [
    "a text advertisement",
    news(
      '<div class="advertisement"><p>Advertisement</p><p>%pick:Boats for less at Marlin|Insurance from Kestrel|Paint that lasts: Cobalt%</p></div>',
    ),
  ],
  [
    "an advertisement in a frame",
    news(
      '<iframe title="advertisement" width="300" height="90" srcdoc="<p>%pick:Boats for less|Paint that lasts|Insure it%</p>"></iframe>',
    ),
  ],
  [
    "sponsored links",
    news({
      aside:
        '<div class="sponsored"><h3>Sponsored</h3><a href="https://%pick:one|two|three%.ads.example/">%pick:Cheap sails|Warm socks|Oak oars%</a></div>',
    }),
  ],
  ["who is here now", office({ aside: "<p>Here now: %pick:Ana|Boris|Clara|Dora%</p>" })],
  [
    "the latest orders",
    shop(
      '<p class="toast">%pick:Somebody in Lisbon|Somebody in Oslo|Somebody in Ghent% just bought this</p>',
    ),
  ],
]);

const consent = `<div id="cookie-banner" class="cookie-consent" role="dialog" aria-label="Cookies" style="position:fixed;bottom:0;left:0;right:0;background:#fff">
<p>We use cookies to make our site better. Read our cookie policy.</p><button>Accept all</button><button>Reject all</button><button>Settings</button></div>`;
const chat =
  '<div class="intercom-launcher" style="position:fixed;right:20px;bottom:20px"><button aria-label="Open chat">Chat with us</button></div>';
const promo =
  '<div class="modal-backdrop" style="position:fixed;inset:0"><div role="dialog" aria-modal="true"><p>Get our newsletter and 5 % off</p><button>No thanks</button></div></div>';

const banners = [
  ...rows("banner", (end) => shop({ end }), noise, [
    ["a consent banner comes", "", consent],
    ["a consent banner goes", consent, ""],
    ["a chat launcher comes", "", chat],
    ["a chat launcher goes", chat, ""],
  ]),
  ...rows("banner", (end) => shop({ end }), { is: "seen" }, [["a newsletter dialog comes", "", promo]]),
  ...rows(
    "banner",
    (text) => shop({ end: consent.replace("We use cookies to make our site better.", text) }),
    { is: "seen" },
    [
      [
        "a consent banner says something else",
        "We use cookies to make our site better.",
        "We and 214 partners use cookies.",
      ],
    ],
  ),
];

const long = (word: string) =>
  `<p>The rules of the harbour say that the bell rings at ${word}. ${"Boats keep to the right of the buoys and greet each other. ".repeat(12)}</p>`;
const misleading = [
  ...rows(
    "zone",
    (word) =>
      office(
        `<section id="cookies"><h2>Cookies we set</h2><p>A session cookie lives for ${word}.</p></section>`,
      ),
    told(["two years"]),
    [["a policy's section called cookies", "one hour", "two years"]],
  ),
  ...rows("zone", (word) => office(`<button class="overlay-btn">${word}</button>`), told(["Book now"]), [
    ["a button called overlay", "Join the queue", "Book now"],
  ]),
  ...rows(
    "zone",
    (word) => news(`<div class="ticker"><h2>${word}</h2><p>Read on in the evening edition.</p></div>`),
    told(["Storm"]),
    [["headlines called ticker", "Calm seas until Sunday", "Storm warning for Sunday"]],
  ),
  ...rows("zone", (word) => office(`<div class="intercom-article">${long(word)}</div>`), told(["nine"]), [
    ["an article called intercom", "six", "nine"],
  ]),
  ...rows(
    "zone",
    (word) => office(`<div class="popup-info"><p>Fees: ${word}</p></div>`),
    told(["90 crowns"]),
    [["fees called popup", "40 crowns", "90 crowns"]],
  ),
  ...rows("zone", (word) => office(`<div class="banner"><p>${word}</p></div>`), told(["closed"]), [
    ["news called banner", "The hall is open all week", "The hall is closed until Friday"],
  ]),
  ...rows(
    "zone",
    (word) => office(`<div class="widget"><p>Next tram: ${word}</p></div>`),
    told(["cancelled"]),
    [["content called widget", "in service", "cancelled"]],
  ),
  ...rows("zone", (word) => office(`<div class="sidebar"><p>${word}</p></div>`), told(["moved"]), [
    ["content called sidebar", "Room 4", "moved to room 9"],
  ]),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body class="cookie-consent-open modal-open">${office("").replace(/^[\s\S]*<body>/, "")}<p>${word}</p></body></html>`,
    told(["tomorrow"]),
    [["a body with a class of a banner", "The clerk is in today", "The clerk is in tomorrow"]],
  ),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body><div id="overlay">${long(word)}${long("noon")}</div></body></html>`,
    told(["nine"]),
    [["a whole page called overlay", "six", "nine"]],
  ),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body><footer>${long(word)}${long("noon")}</footer></body></html>`,
    told(["nine"]),
    [["a whole page in a footer", "six", "nine"]],
  ),
  ...rows(
    "zone",
    (word) => office(`<div class="ad-info"><p>Adult tickets: ${word}</p></div>`),
    told(["14"]),
    [["adults called ad", "12", "14"]],
  ),
  ...rows("zone", (end) => shop({ end }), critical, [
    [
      "a banner that asks for more than cookies",
      consent,
      consent.replace(
        "</p>",
        "</p><form action='https://elsewhere.example/'><p>Enter your phone number</p><input name='phone'></form>",
      ),
    ],
  ]),
];

export const around: Scenario[] = [...rotating, ...banners, ...misleading];
