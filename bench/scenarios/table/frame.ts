// The boilerplate of a page: menus, quotes, languages, and parts that go to the daily digest because they change often.
import { menuOf, news, office, shop } from "../page.ts";
import { alerted, changed, digestOnly, noise, pending, rows, type Scenario, same } from "../scenario.ts";

const menu = (entries: [string, string][]) =>
  shop({ menu: menuOf([["Shop", "/shop"], ["Repairs", "/repairs"], ...entries]) });
const entryThatStays = (name: string, before: string, after: string, words: string[]): Scenario => ({
  class: "menu",
  name,
  serves: [before, after, after, after],
  expect: [pending(words), same, same],
});
const menus: Scenario[] = [
  entryThatStays("an entry is renamed", menu([["Careers", "/careers"]]), menu([["Insolvency", "/careers"]]), [
    "Insolvency",
  ]),
  entryThatStays("an entry is added", menu([]), menu([["Admin", "/admin"]]), ["Admin"]),
  entryThatStays("an entry is removed", menu([["Gift cards", "/gifts"]]), menu([]), ["Gift cards"]),
  entryThatStays(
    "a link is added to the footer",
    shop(""),
    shop({ footer: '<p><a href="/recall">Product recalls</a></p>' }),
    ["Product recalls"],
  ),
  {
    class: "menu",
    name: "an entry is added and removed again",
    serves: [menu([]), menu([["Sale", "/sale"]]), menu([]), menu([])],
    expect: [digestOnly, digestOnly, same],
  },
  {
    class: "menu",
    name: "an added entry links to a new host",
    serves: [menu([]), menu([["Help", "https://help.elsewhere.example/"]])],
    expect: [alerted(["elsewhere"], "important")],
  },
  {
    class: "menu",
    name: "the price in an entry changes",
    serves: [menu([["Season ticket 40 €", "/ticket"]]), menu([["Season ticket 55 €", "/ticket"]])],
    expect: [alerted(["55"])],
  },
  {
    class: "menu",
    name: "an entry is added together with news in the content",
    serves: [menu([]), shop({ menu: menuOf([["Recall", "/recall"]]), main: "<p>Cans are recalled.</p>" })],
    expect: [alerted(["recalled"])],
  },
  {
    class: "menu",
    name: "a statement is added above the menu",
    serves: [shop({ header: "" }), shop({ header: "<p>We are closed today</p>" })],
    expect: [alerted(["closed today"])],
  },
  {
    class: "menu",
    name: "an entry links to another path",
    serves: [menu([["Status", "/status"]]), menu([["Status", "/status-2"]])],
    expect: [{ is: "notLost" }],
  },
  {
    class: "menu",
    name: "the number of items in the basket changes",
    serves: [menu([["Basket (0)", "/basket"]]), menu([["Basket (2)", "/basket"]])],
    expect: [noise],
  },
  {
    class: "menu",
    name: "the sign-in entry becomes an account entry",
    serves: [menu([["Sign in", "/account"]]), menu([["My account", "/account"]])],
    expect: [noise],
  },
];

const quote = (text: string) => news({ header: `<div class="quotes"><span>${text}</span></div>` });
const quotes = [
  ...rows("quote", quote, noise, [
    ["a rate with a signed percentage is noise", "DAX 18,204.10 +0.42%", "DAX 18,167.55 -0.20%"],
    ["a rate with an arrow is noise", "EUR/USD 1.0841 ▲", "EUR/USD 1.0817 ▼"],
    ["a coin price with a percentage is noise", "BTC $68,120 +1.9 %", "BTC $67,480 −0.9 %"],
  ]),
  ...rows("quote", (text) => shop(`<p>${text}</p>`), alerted(), [
    ["a discount with a percentage is alerted", "€ 40.00 (−20 %)", "€ 30.00 (−40 %)"],
    ["a price is alerted", "1,299.00", "1,199.00"],
    ["a fee in percent is alerted", "Fee: 2.5 %", "Fee: 3.0 %"],
    ["an interest rate is alerted", "Interest 3.75 %", "Interest 4.00 %"],
  ]),
];

const release = (text: string) => office({ header: `<div><strong>${text}</strong></div>` });
const versions = [
  ...rows("version", release, alerted(), [
    ["three parts in the header are alerted", "Brackwater Forms 3.5.1", "Brackwater Forms 3.6.0"],
    ["two parts after a name in the header are alerted", "Brackwater Forms 5.1", "Brackwater Forms 5.2"],
    ["a version that is called one is alerted", "Version 12", "Version 13"],
  ]),
  ...rows("version", release, noise, [
    ["a number of visitors in the header is noise", "Visitors today 1.204", "Visitors today 1.377"],
    ["a temperature in the header is noise", "Brackwater 21.5 °C", "Brackwater 19.0 °C"],
    ["a rating in the header is noise", "Rating: 4.5", "Rating: 4.6"],
  ]),
];

const languages = [
  ...rows("locale", (entry) => shop({ header: `<p>${entry}</p>` }), noise, [
    ["the visitor's country in the header changes", "Deliver to Germany", "Deliver to France"],
  ]),
  ...rows(
    "locale",
    (prefix) =>
      office(
        ["book", "rules", "fees", "rooms", "people", "press"]
          .map((path) => `<p><a href="${prefix}/${path}">About ${path}</a></p>`)
          .join(""),
      ),
    { is: "notLost" },
    [["all links change to another language", "/en", "/de"]],
  ),
  ...rows(
    "locale",
    (lang) =>
      lang === "en"
        ? office("<p>Please knock before you enter.</p>")
        : office({ lang, main: "<p>Bitte klopfen Sie, bevor Sie eintreten.</p>" }),
    alerted(["klopfen"]),
    [["the content changes its language", "en", "de"]],
  ),
];

const pagesOf = (render: (text: string) => string, values: string[]) => values.map(render);
const days = [
  "Sun, 14 degrees",
  "Rain, 11 degrees",
  "Fog, 9 degrees",
  "Sleet, 2 degrees",
  "Snow, -1 degrees",
  "Wind, 6 degrees",
  "Hail, 3 degrees",
];
const frequentChanges: Scenario[] = [
  ["in the sidebar", (text: string) => news({ aside: `<p>Weather: ${text}</p>` })],
  ["in the footer", (text: string) => news({ footer: `<p>Weather: ${text}</p>` })],
  ["in the header", (text: string) => news({ header: `<p>Weather: ${text}</p>` })],
  [
    "in the menu",
    (text: string) =>
      news({
        menu: menuOf([
          ["Home", "/"],
          ["Press", "/press"],
          [`Weather: ${text}`, "/weather"],
        ]),
      }),
  ],
].map(([name, render]) => ({
  class: "fold",
  name: `weather ${name as string} changes at every check`,
  serves: pagesOf(render as (text: string) => string, days),
  // Menu entries are pending until the next check, which finds another one each time.
  expect:
    name === "in the menu"
      ? [digestOnly, digestOnly, changed, digestOnly]
      : [alerted(), alerted(), changed, digestOnly, digestOnly, digestOnly],
}));
const mostRead = (entries: string[]) =>
  news({
    aside: `<h2>Most read</h2><ol>${entries.map((entry) => `<li><a href="/r/${entry.length}">${entry}</a></li>`).join("")}</ol>`,
  });
const moreFrequentChanges: Scenario[] = [
  {
    class: "fold",
    name: "a most-read list in the sidebar changes at every check",
    serves: [
      ["Swans return", "Lamp mended"],
      ["Mayor sails", "Swans return"],
      ["Cod is back", "Mayor sails"],
      ["Bell cast", "Cod is back"],
      ["Rope torn", "Bell cast"],
      ["Ice early", "Rope torn"],
    ].map(mostRead),
    expect: [digestOnly, digestOnly, changed, digestOnly],
  },
  {
    class: "fold",
    name: "weather in the content is alerted at every check",
    serves: pagesOf((text) => news(`<p>Weather: ${text}</p>`), days),
    expect: [alerted()],
  },
  {
    class: "fold",
    name: "news in the content is alerted while the sidebar changes often",
    serves: [
      ...days.slice(0, 5).map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
      news({ aside: "<p>Weather: Hail, 3 degrees</p>", main: "<p>The pier has collapsed.</p>" }),
    ],
    expect: [alerted(), alerted(), changed, digestOnly, alerted(["pier has collapsed"])],
  },
  {
    class: "fold",
    name: "an attack in a sidebar that changes often is alerted",
    serves: [
      ...days.slice(0, 5).map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
      news({ aside: "<p>Weather: hacked by NightOwl</p>" }),
    ],
    expect: [alerted(), alerted(), changed, digestOnly, alerted(["NightOwl"], "critical")],
  },
  {
    class: "fold",
    name: "a sidebar that changes rarely is alerted",
    serves: ["Sun", "Sun", "Sun", "Rain", "Rain", "Rain", "Rain", "Rain", "Fog"].map((text) =>
      news({ aside: `<p>Weather: ${text}</p>` }),
    ),
    expect: [
      { is: "same" },
      { is: "same" },
      alerted(),
      { is: "same" },
      { is: "same" },
      { is: "same" },
      { is: "same" },
      alerted(),
    ],
  },
];

const selectedPart = (name: string, selector: string, pages: string[], words: string[]): Scenario => ({
  class: "selected",
  name,
  job: { selector },
  serves: [...pages, ...pages, ...pages],
  expect: [alerted(words), alerted()],
});
const selected: Scenario[] = [
  selectedPart(
    "every change of a selected menu is alerted",
    "nav",
    [menu([]), menu([["Admin", "/admin"]])],
    ["Admin"],
  ),
  selectedPart(
    "every change of a selected list in the footer is alerted",
    "footer ul.jobs",
    ["Welder", "Carpenter"].map((job) => shop({ footer: `<ul class="jobs"><li>${job}</li></ul>` })),
    ["Carpenter"],
  ),
  selectedPart(
    "every change of a selected number in the header is alerted",
    "#queue",
    ["4", "11"].map((count) => office({ header: `<p id="queue">Waiting: ${count}</p>` })),
    ["11"],
  ),
  selectedPart(
    "every change of a selected basket is alerted",
    "header a.basket",
    ["0", "3"].map((count) => shop({ header: `<a class="basket" href="/b">Basket (${count})</a>` })),
    ["3"],
  ),
  selectedPart(
    "every change of a selected sidebar is alerted",
    "aside",
    ["Fog", "Sleet"].map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
    ["Sleet"],
  ),
  selectedPart(
    "every change of a selected carousel is alerted",
    ".carousel",
    ["Bench", "Ladder"].map((text) => shop(`<div class="carousel"><p>${text}</p></div>`)),
    ["Ladder"],
  ),
];

export const frame: Scenario[] = [
  ...selected,
  ...menus,
  ...quotes,
  ...versions,
  ...languages,
  ...frequentChanges,
  ...moreFrequentChanges,
];
