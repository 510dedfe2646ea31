// What is outside the main content: advertisements, banners, widgets; and content with misleading names.
import { news, office, shop } from "../page.ts";
import { alerted, critical, noise, rows, type Scenario } from "../scenario.ts";

const servedAgain = (group: string, table: [name: string, page: string][], expect = noise): Scenario[] =>
  table.map(([name, page]) => ({ class: group, name, serves: [page, page, page, page], expect: [expect] }));

const cards = (names: string) =>
  `<section class="recommended"><h2>You may also like</h2><ul>${names}</ul></section>`;
const product = (name: string) => `<li><a href="/p/${name}">${name}</a></li>`;
const six = ["hose", "barrel", "spade", "rake", "gloves", "bench"].map(product).join("|");

const rotating = servedAgain("rotation", [
  [
    "recommendations in the content rotate",
    shop(cards(`%pick:${six}%%pick:${["kettle", "lamp", "stool"].map(product).join("|")}%`)),
  ],
  ["recommendations change their order", shop(cards(`%shuffle:${six}%`))],
  ["recommendations in the sidebar rotate", shop({ aside: cards(`%pick:${six}%`) })],
  [
    "a random quotation in the sidebar changes",
    news({
      aside: "<blockquote>%pick:The sea is patient.|Ropes remember.|Fog has no friends.%</blockquote>",
    }),
  ],
  [
    "a random quotation in the content changes",
    news("<blockquote>%pick:The sea is patient.|Ropes remember.|Fog has no friends.%</blockquote>"),
  ],
  [
    "a random picture and its alt text change",
    news('<img src="/hero-%pick:1|2|3%.png" alt="%pick:Pier|Boat|Gull%" width="60" height="40">'),
  ],
  [
    "A/B test variants of a headline alternate",
    news("<h2>%pick:Old pier opens|The pier is back|Walk on water again%</h2>"),
  ],
  [
    "A/B test variants of a button alternate",
    shop('<p class="btn">%pick:Order now|Buy today|Get yours%</p>'),
  ],
  ["a number differs at every request", office("<p>Waiting time about %digits:2% minutes</p>")],
  [
    "a picture advertisement rotates",
    news(
      '<div class="ad-slot" id="ad-top"><a href="https://ads.example/c?%hex:16%"><img src="/ad-%pick:1|2|3%.png" alt="" width="468" height="60"></a></div>',
    ),
  ],
  [
    "a text advertisement rotates",
    news(
      '<div class="advertisement"><p>Advertisement</p><p>%pick:Boats for less at Marlin|Insurance from Kestrel|Paint that lasts: Cobalt%</p></div>',
    ),
  ],
  [
    "an advertisement in an iframe rotates",
    news(
      '<iframe title="advertisement" width="300" height="90" srcdoc="<p>%pick:Boats for less|Paint that lasts|Insure it%</p>"></iframe>',
    ),
  ],
  [
    "sponsored links rotate",
    news({
      aside:
        '<div class="sponsored"><h3>Sponsored</h3><a href="https://%pick:one|two|three%.ads.example/">%pick:Cheap sails|Warm socks|Oak oars%</a></div>',
    }),
  ],
  [
    "the name of a present visitor changes",
    office({ aside: "<p>Here now: %pick:Ana|Boris|Clara|Dora%</p>" }),
  ],
  [
    "the notice of the latest order changes",
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
    ["a consent banner appears", "", consent],
    ["a consent banner disappears", consent, ""],
    ["a chat launcher appears", "", chat],
    ["a chat launcher disappears", chat, ""],
  ]),
  ...rows("banner", (end) => shop({ end }), { is: "notLost" }, [["a newsletter dialog appears", "", promo]]),
  ...rows(
    "banner",
    (text) => shop({ end: consent.replace("We use cookies to make our site better.", text) }),
    { is: "notLost" },
    [
      [
        "the text of a consent banner changes",
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
    alerted(["two years"]),
    [["a change in a policy section with the ID cookies is alerted", "one hour", "two years"]],
  ),
  ...rows("zone", (word) => office(`<button class="overlay-btn">${word}</button>`), alerted(["Book now"]), [
    ["a change of a button with the class overlay-btn is alerted", "Join the queue", "Book now"],
  ]),
  ...rows(
    "zone",
    (word) => news(`<div class="ticker"><h2>${word}</h2><p>Read on in the evening edition.</p></div>`),
    alerted(["Storm"]),
    [
      [
        "a change of a headline in the class ticker is alerted",
        "Calm seas until Sunday",
        "Storm warning for Sunday",
      ],
    ],
  ),
  ...rows("zone", (word) => office(`<div class="intercom-article">${long(word)}</div>`), alerted(["nine"]), [
    ["a change in an article with the class intercom-article is alerted", "six", "nine"],
  ]),
  ...rows(
    "zone",
    (word) => office(`<div class="popup-info"><p>Fees: ${word}</p></div>`),
    alerted(["90 crowns"]),
    [["a change of fees in the class popup-info is alerted", "40 crowns", "90 crowns"]],
  ),
  ...rows("zone", (word) => office(`<div class="banner"><p>${word}</p></div>`), alerted(["closed"]), [
    [
      "a change of news in the class banner is alerted",
      "The hall is open all week",
      "The hall is closed until Friday",
    ],
  ]),
  ...rows(
    "zone",
    (word) => office(`<div class="widget"><p>Next tram: ${word}</p></div>`),
    alerted(["cancelled"]),
    [["a change of content in the class widget is alerted", "in service", "cancelled"]],
  ),
  ...rows("zone", (word) => office(`<div class="sidebar"><p>${word}</p></div>`), alerted(["moved"]), [
    ["a change of content in the class sidebar is alerted", "Room 4", "moved to room 9"],
  ]),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body class="cookie-consent-open modal-open">${office("").replace(/^[\s\S]*<body>/, "")}<p>${word}</p></body></html>`,
    alerted(["tomorrow"]),
    [
      [
        "a change in a body with the classes of a consent banner is alerted",
        "The clerk is in today",
        "The clerk is in tomorrow",
      ],
    ],
  ),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body><div id="overlay">${long(word)}${long("noon")}</div></body></html>`,
    alerted(["nine"]),
    [["a change in a page whose whole content has the ID overlay is alerted", "six", "nine"]],
  ),
  ...rows(
    "zone",
    (word) =>
      `<!doctype html><html><head><title>t</title></head><body><footer>${long(word)}${long("noon")}</footer></body></html>`,
    alerted(["nine"]),
    [["a change in a page that is all footer is alerted", "six", "nine"]],
  ),
  ...rows(
    "zone",
    (word) => office(`<div class="ad-info"><p>Adult tickets: ${word}</p></div>`),
    alerted(["14"]),
    [["a change of ticket prices in the class ad-info is alerted", "12", "14"]],
  ),
  ...rows("zone", (end) => shop({ end }), critical, [
    [
      "a consent banner that gets a form for a phone number is critical",
      consent,
      consent.replace(
        "</p>",
        "</p><form action='https://elsewhere.example/'><p>Enter your phone number</p><input name='phone'></form>",
      ),
    ],
  ]),
];

export const around: Scenario[] = [...rotating, ...banners, ...misleading];
