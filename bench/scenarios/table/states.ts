// States that flip or change at every check: people watch these, so every change is alerted, however frequent.
import { news, office, scope, shop } from "../page.ts";
import { alerted, flip, lines, rows, type Scenario } from "../scenario.ts";

const shopFlips: [name: string, one: string, other: string][] = [
  ["stock", '<p class="stock">Out of stock</p>', '<p class="stock">Available!</p>'],
  [
    "stock as a badge",
    '<span class="badge badge-grey">Sold out</span>',
    '<span class="badge badge-green">In stock</span>',
  ],
  ["stock in German", '<p id="verfuegbar">Zurzeit nicht verfügbar</p>', '<p id="verfuegbar">Auf Lager</p>'],
  ["stock in French", '<div class="dispo">Rupture de stock</div>', '<div class="dispo">En stock</div>'],
  ["stock in Japanese", '<p class="zaiko">在庫なし</p>', '<p class="zaiko">在庫あり</p>'],
  [
    "stock in a single word",
    "<p>This item is currently unavailable.</p>",
    "<p>This item is currently available.</p>",
  ],
  ["price", '<p class="price">€ 49.00</p>', '<p class="price">€ 39.00</p>'],
  ["price by one cent", '<span class="price">$19.99</span>', '<span class="price">$19.98</span>'],
  ["sale ribbon", "<p>Autumn sale: 20 % off everything copper</p>", ""],
  ["the presence of a line", "", "<p>Pick-up is possible today until six.</p>"],
  [
    "the label of a button",
    '<button class="btn">Notify me</button>',
    '<button class="btn">Add to basket</button>',
  ],
  ["a standalone number", '<p class="left">0</p>', '<p class="left">1</p>'],
  [
    "the presence of a list entry",
    "<ul><li>Green</li><li>Blue</li></ul>",
    "<ul><li>Green</li><li>Blue</li><li>Copper red</li></ul>",
  ],
];

const officeFlips: [name: string, one: string, other: string][] = [
  [
    "the availability of appointments",
    "<p>There are no appointments at the moment.</p>",
    "<p>Appointments are available. Choose a day.</p>",
  ],
  [
    "the opening state of an office",
    "<p>The office is <b>closed</b>.</p>",
    "<p>The office is <b>open</b>.</p>",
  ],
  [
    "the state of a registration",
    "<p>Registration has not started.</p>",
    "<p>Registration is open until Friday.</p>",
  ],
  [
    "the availability of a day in a calendar",
    "<table><tr><td>Mon</td><td>full</td></tr><tr><td>Tue</td><td>full</td></tr></table>",
    "<table><tr><td>Mon</td><td>full</td></tr><tr><td>Tue</td><td>2 places</td></tr></table>",
  ],
  [
    "the state of a service",
    '<div class="status">All systems operational</div>',
    '<div class="status">Partial outage of payments</div>',
  ],
];

const flipping = [
  ...shopFlips.map(([name, one, other]) => ({ name, serves: flip(6, shop(one), shop(other)) })),
  ...officeFlips.map(([name, one, other]) => ({ name, serves: flip(7, office(one), office(other)) })),
].map(
  ({ name, serves }): Scenario => ({ class: "state", name: `${name} flips`, serves, expect: [alerted()] }),
);

const p = (text: string) => shop(`<p>${text}</p>`);

/** Each check sees another value. */
const moving = lines("state", p, [
  ["the number of seats left falls", ...[9, 7, 6, 4, 2, 1, 0].map((n) => `${n} seats left`)],
  [
    "a price changes at every check",
    "€ 120.00",
    "€ 118.50",
    "€ 121.00",
    "€ 99.00",
    "€ 104.00",
    "€ 87.90",
    "€ 120.00",
  ],
  [
    "a version number changes at every check",
    ...["4.2.0", "4.2.1", "4.2.2", "4.3.0", "4.3.1", "5.0.0", "5.0.1"].map((v) => `Current release: ${v}`),
  ],
  [
    "a queue position changes at every check",
    ...[14, 12, 9, 8, 5, 3, 1].map((n) => `You are number ${n} in the queue`),
  ],
  [
    "the highest bid rises at every check",
    ...[100, 110, 125, 130, 155, 160, 200].map((n) => `Highest bid: ${n} EUR`),
  ],
  [
    "a score changes at every check",
    ...["0 : 0", "1 : 0", "1 : 1", "2 : 1", "2 : 2", "3 : 2", "3 : 3"].map((s) => `Eastholm ${s} Brackwater`),
  ],
  [
    "a water level rises at every check",
    ...[212, 215, 219, 224, 231, 240, 262].map((n) => `Water level at the bridge ${n} cm`),
  ],
  ["a percentage rises at every check", ...[10, 14, 22, 37, 51, 76, 100].map((n) => `Funded ${n} %`)],
  [
    "the next free day changes at every check",
    ...["3 March", "5 March", "4 March", "9 March", "2 March", "1 April", "30 March"].map(
      (d) => `Next free appointment: ${d} 2027`,
    ),
  ],
  ["a stock count changes at every check", ...[5, 4, 3, 2, 1, 0, 12].map((n) => `${n} in stock`)],
]);

const tables = lines(
  "state",
  (rate) =>
    office(
      `<table><tr><th>Currency</th><th>We buy at</th></tr><tr><td>USD</td><td>${rate}</td></tr><tr><td>CHF</td><td>0.9401</td></tr></table>`,
    ),
  [
    [
      "a rate in a table changes at every check",
      "1.0712",
      "1.0698",
      "1.0733",
      "1.0801",
      "1.0799",
      "1.0650",
      "1.0712",
    ],
  ],
);

const headlines = lines(
  "state",
  (item) => news(`<article><h2>${item}</h2><p>Read more in the evening edition.</p></article>`),
  [
    [
      "the top story changes at every check",
      "Mayor opens the new lock",
      "Storm closes the harbour",
      "Ferries run again",
      "Lighthouse gets a lamp",
      "Fish market moves",
      "Council votes on parking",
      "Swans return",
    ],
  ],
);

const lists = rows("state", (item) => scope(`<ul>${item}</ul>`), alerted(), [
  [
    "entries are added one by one",
    "",
    ...["beta", "files", "pay", "shop", "mail", "docs"].map((_, at, all) =>
      all
        .slice(0, at + 1)
        .map((name) => `<li>${name}.lumenpay.example</li>`)
        .join(""),
    ),
  ],
]);

const values = (value: string) => ({
  body: `{"name":"watering can","variant":{"sku":"WC-5","stock":${value}},"tags":["garden","copper"]}`,
  type: "application/json",
});
const json = lines("state", values, [
  ["a JSON number changes at every check", "5", "4", "3", "7", "0", "2", "1"],
  ["a JSON boolean flips", ...flip(6, "true", "false")],
  ["a JSON string flips", ...flip(6, '"sold out"', '"available"')],
]);

const text = (line: string) => ({
  body: `Copper prices of the day\n========================\nSheet 1 mm: ${line}\nWire 2 mm: 9.10\nDelivery on Thursdays\n`,
  type: "text/plain",
});
const files = lines("state", text, [
  ["a line of a text file changes at every check", "8.10", "8.12", "8.09", "8.20", "8.25", "8.01", "8.10"],
]);

export const states: Scenario[] = [
  ...flipping,
  ...moving,
  ...tables,
  ...headlines,
  ...lists,
  ...json,
  ...files,
];
