// The frame of a page: menus, quotes, languages, and what folds there because it keeps changing.
import { menuOf, news, office, shop } from "../page.ts";
import { changed, folded, later, noise, rows, type Scenario, same, told } from "../scenario.ts";

const menu = (entries: [string, string][]) =>
  shop({ menu: menuOf([["Shop", "/shop"], ["Repairs", "/repairs"], ...entries]) });
const stays = (name: string, before: string, after: string, words: string[]): Scenario => ({
  class: "menu",
  name,
  serves: [before, after, after, after],
  expect: [later(words), same, same],
});
const menus: Scenario[] = [
  stays("an entry is renamed", menu([["Careers", "/careers"]]), menu([["Insolvency", "/careers"]]), [
    "Insolvency",
  ]),
  stays("an entry comes", menu([]), menu([["Admin", "/admin"]]), ["Admin"]),
  stays("an entry goes", menu([["Gift cards", "/gifts"]]), menu([]), ["Gift cards"]),
  stays(
    "a link of the footer comes",
    shop(""),
    shop({ footer: '<p><a href="/recall">Product recalls</a></p>' }),
    ["Product recalls"],
  ),
  {
    class: "menu",
    name: "an entry comes and goes",
    serves: [menu([]), menu([["Sale", "/sale"]]), menu([]), menu([])],
    expect: [folded, folded, same],
  },
  {
    class: "menu",
    name: "an entry that leads to someone new",
    serves: [menu([]), menu([["Help", "https://help.elsewhere.example/"]])],
    expect: [told(["elsewhere"], "important")],
  },
  {
    class: "menu",
    name: "an entry with a price",
    serves: [menu([["Season ticket 40 €", "/ticket"]]), menu([["Season ticket 55 €", "/ticket"]])],
    expect: [told(["55"])],
  },
  {
    class: "menu",
    name: "an entry comes with news in the content",
    serves: [menu([]), shop({ menu: menuOf([["Recall", "/recall"]]), main: "<p>Cans are recalled.</p>" })],
    expect: [told(["recalled"])],
  },
  {
    class: "menu",
    name: "a statement above the menu",
    serves: [shop({ header: "" }), shop({ header: "<p>We are closed today</p>" })],
    expect: [told(["closed today"])],
  },
  {
    class: "menu",
    name: "an entry leads elsewhere",
    serves: [menu([["Status", "/status"]]), menu([["Status", "/status-2"]])],
    expect: [{ is: "seen" }],
  },
  {
    class: "menu",
    name: "the basket counts",
    serves: [menu([["Basket (0)", "/basket"]]), menu([["Basket (2)", "/basket"]])],
    expect: [noise],
  },
  {
    class: "menu",
    name: "sign in became an account",
    serves: [menu([["Sign in", "/account"]]), menu([["My account", "/account"]])],
    expect: [noise],
  },
];

const quote = (text: string) => news({ header: `<div class="quotes"><span>${text}</span></div>` });
const quotes = [
  ...rows("quote", quote, noise, [
    ["a rate with a signed percentage", "DAX 18,204.10 +0.42%", "DAX 18,167.55 -0.20%"],
    ["a rate with an arrow", "EUR/USD 1.0841 ▲", "EUR/USD 1.0817 ▼"],
    ["a coin with a percentage", "BTC $68,120 +1.9 %", "BTC $67,480 −0.9 %"],
  ]),
  ...rows("quote", (text) => shop(`<p>${text}</p>`), told(), [
    ["a discount is no quote", "€ 40.00 (−20 %)", "€ 30.00 (−40 %)"],
    ["a price is no quote", "1,299.00", "1,199.00"],
    ["a fee in per cent", "Fee: 2.5 %", "Fee: 3.0 %"],
    ["an interest rate", "Interest 3.75 %", "Interest 4.00 %"],
  ]),
];

const languages = [
  ...rows("locale", (entry) => shop({ header: `<p>${entry}</p>` }), noise, [
    ["the country of the visitor", "Deliver to Germany", "Deliver to France"],
  ]),
  ...rows("locale", (title) => shop({ title, lang: title.startsWith("K") ? "de" : "en" }), noise, [
    [
      "the title in another language while the content stands",
      "Copper watering can | Home and garden",
      "Kupfergießkanne | Haus und Garten",
    ],
  ]),
  ...rows(
    "locale",
    (prefix) =>
      office(
        ["book", "rules", "fees", "rooms", "people", "press"]
          .map((path) => `<p><a href="${prefix}/${path}">About ${path}</a></p>`)
          .join(""),
      ),
    { is: "seen" },
    [["all links in another language", "/en", "/de"]],
  ),
  ...rows(
    "locale",
    (lang) =>
      lang === "en"
        ? office("<p>Please knock before you enter.</p>")
        : office({ lang, main: "<p>Bitte klopfen Sie, bevor Sie eintreten.</p>" }),
    told(["klopfen"]),
    [["the content in another language", "en", "de"]],
  ),
];

const moving = (place: (text: string) => string, values: string[]) => values.map(place);
const days = [
  "Sun, 14 degrees",
  "Rain, 11 degrees",
  "Fog, 9 degrees",
  "Sleet, 2 degrees",
  "Snow, -1 degrees",
  "Wind, 6 degrees",
  "Hail, 3 degrees",
];
const folds: Scenario[] = [
  ["aside", (text: string) => news({ aside: `<p>Weather: ${text}</p>` })],
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
].map(([name, place]) => ({
  class: "fold",
  name: `weather ${name as string}`,
  serves: moving(place as (text: string) => string, days),
  // A menu's entries wait for the next check, which finds another each time.
  expect:
    name === "in the menu"
      ? [folded, folded, changed, folded]
      : [told(), told(), changed, folded, folded, folded],
}));
const mostRead = (entries: string[]) =>
  news({
    aside: `<h2>Most read</h2><ol>${entries.map((entry) => `<li><a href="/r/${entry.length}">${entry}</a></li>`).join("")}</ol>`,
  });
const foldsMore: Scenario[] = [
  {
    class: "fold",
    name: "most read aside",
    serves: [
      ["Swans return", "Lamp mended"],
      ["Mayor sails", "Swans return"],
      ["Cod is back", "Mayor sails"],
      ["Bell cast", "Cod is back"],
      ["Rope torn", "Bell cast"],
      ["Ice early", "Rope torn"],
    ].map(mostRead),
    expect: [folded, folded, changed, folded],
  },
  {
    class: "fold",
    name: "the same in the content is told",
    serves: moving((text) => news(`<p>Weather: ${text}</p>`), days),
    expect: [told()],
  },
  {
    class: "fold",
    name: "news in the content while the aside folds",
    serves: [
      ...days.slice(0, 5).map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
      news({ aside: "<p>Weather: Hail, 3 degrees</p>", main: "<p>The pier has collapsed.</p>" }),
    ],
    expect: [told(), told(), changed, folded, told(["pier has collapsed"])],
  },
  {
    class: "fold",
    name: "an attack where the aside folds",
    serves: [
      ...days.slice(0, 5).map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
      news({ aside: "<p>Weather: hacked by NightOwl</p>" }),
    ],
    expect: [told(), told(), changed, folded, told(["NightOwl"], "critical")],
  },
  {
    class: "fold",
    name: "seldom changed aside is told",
    serves: ["Sun", "Sun", "Sun", "Rain", "Rain", "Rain", "Rain", "Rain", "Fog"].map((text) =>
      news({ aside: `<p>Weather: ${text}</p>` }),
    ),
    expect: [
      { is: "same" },
      { is: "same" },
      told(),
      { is: "same" },
      { is: "same" },
      { is: "same" },
      { is: "same" },
      told(),
    ],
  },
];

const chosen = (name: string, selector: string, pages: string[], words: string[]): Scenario => ({
  class: "selected",
  name,
  job: { selector },
  serves: [...pages, ...pages, ...pages],
  expect: [told(words), told()],
});
const selected: Scenario[] = [
  chosen("a menu", "nav", [menu([]), menu([["Admin", "/admin"]])], ["Admin"]),
  chosen(
    "a list in the footer",
    "footer ul.jobs",
    ["Welder", "Carpenter"].map((job) => shop({ footer: `<ul class="jobs"><li>${job}</li></ul>` })),
    ["Carpenter"],
  ),
  chosen(
    "a number in the header",
    "#queue",
    ["4", "11"].map((count) => office({ header: `<p id="queue">Waiting: ${count}</p>` })),
    ["11"],
  ),
  chosen(
    "a basket",
    "header a.basket",
    ["0", "3"].map((count) => shop({ header: `<a class="basket" href="/b">Basket (${count})</a>` })),
    ["3"],
  ),
  chosen(
    "an aside",
    "aside",
    ["Fog", "Sleet"].map((text) => news({ aside: `<p>Weather: ${text}</p>` })),
    ["Sleet"],
  ),
  chosen(
    "a carousel",
    ".carousel",
    ["Bench", "Ladder"].map((text) => shop(`<div class="carousel"><p>${text}</p></div>`)),
    ["Ladder"],
  ),
];

export const frame: Scenario[] = [...selected, ...menus, ...quotes, ...languages, ...folds, ...foldsMore];
