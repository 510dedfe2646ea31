// States that flip or move at every check: what people watch, told every time however often.
import { news, office, scope, shop } from "../page.ts";
import { flip, lines, rows, type Scenario, told } from "../scenario.ts";

const flips: [name: string, one: string, other: string][] = [
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
    "stock by one word",
    "<p>This item is currently unavailable.</p>",
    "<p>This item is currently available.</p>",
  ],
  ["price there and back", '<p class="price">€ 49.00</p>', '<p class="price">€ 39.00</p>'],
  ["price by a cent", '<span class="price">$19.99</span>', '<span class="price">$19.98</span>'],
  ["sale ribbon", "<p>Autumn sale: 20 % off everything copper</p>", ""],
  ["a line that comes and goes", "", "<p>Pick-up is possible today until six.</p>"],
  [
    "button that changes its name",
    '<button class="btn">Notify me</button>',
    '<button class="btn">Add to basket</button>',
  ],
  ["a number alone", '<p class="left">0</p>', '<p class="left">1</p>'],
  [
    "a list entry",
    "<ul><li>Green</li><li>Blue</li></ul>",
    "<ul><li>Green</li><li>Blue</li><li>Copper red</li></ul>",
  ],
];

const office6: [name: string, one: string, other: string][] = [
  [
    "appointments",
    "<p>There are no appointments at the moment.</p>",
    "<p>Appointments are available. Choose a day.</p>",
  ],
  ["open and closed", "<p>The office is <b>closed</b>.</p>", "<p>The office is <b>open</b>.</p>"],
  ["registration", "<p>Registration has not started.</p>", "<p>Registration is open until Friday.</p>"],
  [
    "a day in a calendar",
    "<table><tr><td>Mon</td><td>full</td></tr><tr><td>Tue</td><td>full</td></tr></table>",
    "<table><tr><td>Mon</td><td>full</td></tr><tr><td>Tue</td><td>2 places</td></tr></table>",
  ],
  [
    "service state",
    '<div class="status">All systems operational</div>',
    '<div class="status">Partial outage of payments</div>',
  ],
];

const flipping = [
  ...flips.map(([name, one, other]) => ({ name, serves: flip(6, shop(one), shop(other)) })),
  ...office6.map(([name, one, other]) => ({ name, serves: flip(7, office(one), office(other)) })),
].map(({ name, serves }): Scenario => ({ class: "state", name: `${name} flips`, serves, expect: [told()] }));

const p = (text: string) => shop(`<p>${text}</p>`);

/** Each step is another value. */
const moving = lines("state", p, [
  ["seats left go down", ...[9, 7, 6, 4, 2, 1, 0].map((n) => `${n} seats left`)],
  ["price moves", "€ 120.00", "€ 118.50", "€ 121.00", "€ 99.00", "€ 104.00", "€ 87.90", "€ 120.00"],
  [
    "version moves",
    ...["4.2.0", "4.2.1", "4.2.2", "4.3.0", "4.3.1", "5.0.0", "5.0.1"].map((v) => `Current release: ${v}`),
  ],
  ["queue moves", ...[14, 12, 9, 8, 5, 3, 1].map((n) => `You are number ${n} in the queue`)],
  ["highest bid", ...[100, 110, 125, 130, 155, 160, 200].map((n) => `Highest bid: ${n} EUR`)],
  [
    "score",
    ...["0 : 0", "1 : 0", "1 : 1", "2 : 1", "2 : 2", "3 : 2", "3 : 3"].map((s) => `Eastholm ${s} Brackwater`),
  ],
  ["water level", ...[212, 215, 219, 224, 231, 240, 262].map((n) => `Water level at the bridge ${n} cm`)],
  ["percentage", ...[10, 14, 22, 37, 51, 76, 100].map((n) => `Funded ${n} %`)],
  [
    "next free day",
    ...["3 March", "5 March", "4 March", "9 March", "2 March", "1 April", "30 March"].map(
      (d) => `Next free appointment: ${d} 2027`,
    ),
  ],
  ["stock count", ...[5, 4, 3, 2, 1, 0, 12].map((n) => `${n} in stock`)],
]);

const tables = lines(
  "state",
  (rate) =>
    office(
      `<table><tr><th>Currency</th><th>We buy at</th></tr><tr><td>USD</td><td>${rate}</td></tr><tr><td>CHF</td><td>0.9401</td></tr></table>`,
    ),
  [["rate in a table", "1.0712", "1.0698", "1.0733", "1.0801", "1.0799", "1.0650", "1.0712"]],
);

const headlines = lines(
  "state",
  (item) => news(`<article><h2>${item}</h2><p>Read more in the evening edition.</p></article>`),
  [
    [
      "top story",
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

const lists = rows("state", (item) => scope(`<ul>${item}</ul>`), told(), [
  [
    "entries come one by one",
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
  ["JSON number moves", "5", "4", "3", "7", "0", "2", "1"],
  ["JSON truth flips", ...flip(6, "true", "false")],
  ["JSON word flips", ...flip(6, '"sold out"', '"available"')],
]);

const text = (line: string) => ({
  body: `Copper prices of the day\n========================\nSheet 1 mm: ${line}\nWire 2 mm: 9.10\nDelivery on Thursdays\n`,
  type: "text/plain",
});
const files = lines("state", text, [
  ["text file line moves", "8.10", "8.12", "8.09", "8.20", "8.25", "8.01", "8.10"],
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
