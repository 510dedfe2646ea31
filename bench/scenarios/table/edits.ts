// Plain edits of a page's text: each is alerted in the page's own words.
import { news, office, scope, shop } from "../page.ts";
import { alerted, lines, rows, type Scenario } from "../scenario.ts";

const group = "edit";
const inShop = (piece: string) => shop(piece);
const inOffice = (piece: string) => office(piece);
const long = (middle: string) =>
  office(
    `<p>${"The rules of the house apply to everybody who enters it, whether they come alone or with others. ".repeat(9)}${middle} ${"Whoever breaks something tells the caretaker, who writes it into the book by the door. ".repeat(9)}</p>`,
  );

const words = lines(group, inShop, [
  ["a word changes", "<p>The can is made by hand.</p>", "<p>The can is made by machine.</p>"],
  ["a number in a sentence changes", "<p>Delivery takes 3 days.</p>", "<p>Delivery takes 5 days.</p>"],
  ["a negation is added", "<p>Children may use it.</p>", "<p>Children may not use it.</p>"],
  ["one letter changes", "<p>Article 7a applies.</p>", "<p>Article 7b applies.</p>"],
  ["the punctuation of a price changes", "<p>Now 1.299</p>", "<p>Now 12.99</p>"],
  ["only the currency changes", "<p>Price: 40 EUR</p>", "<p>Price: 40 USD</p>"],
  ["only the unit changes", "<p>Shipping from 5 kg</p>", "<p>Shipping from 5 lb</p>"],
  ["a sentence is added", "<p>We ship to Europe.</p>", "<p>We ship to Europe. Norway costs extra.</p>"],
  ["a sentence is removed", "<p>We ship to Europe. Norway costs extra.</p>", "<p>We ship to Europe.</p>"],
  ["a paragraph is added", "", "<p>From June on we also repair cans of other makers.</p>"],
  ["a paragraph is removed", "<p>From June on we also repair cans.</p>", ""],
  ["a heading changes", "<h2>Opening hours</h2>", "<h2>Closing sale</h2>"],
  ["a list entry changes", "<ul><li>Red</li><li>Green</li></ul>", "<ul><li>Red</li><li>Turquoise</li></ul>"],
  [
    "a table cell changes",
    "<table><tr><td>Small</td><td>12</td></tr></table>",
    "<table><tr><td>Small</td><td>13</td></tr></table>",
  ],
  [
    "a table row is added",
    "<table><tr><td>Small</td><td>12</td></tr></table>",
    "<table><tr><td>Small</td><td>12</td></tr><tr><td>Large</td><td>20</td></tr></table>",
  ],
  [
    "a caption changes",
    "<figure><figcaption>The workshop in 2019</figcaption></figure>",
    "<figure><figcaption>The workshop after the fire</figcaption></figure>",
  ],
  [
    "a quotation changes",
    "<blockquote>Best can ever.</blockquote>",
    "<blockquote>It leaked after a week.</blockquote>",
  ],
  ["text changes to capital letters", "<p>please note the frost</p>", "<p>PLEASE NOTE THE FROST</p>"],
  ["a telephone number changes", "<p>Call +351 21 555 0199</p>", "<p>Call +351 21 555 0142</p>"],
  [
    "an email address changes to a look-alike",
    "<p>Write to smith@fernhill.example</p>",
    "<p>Write to smith@fernhi11.example</p>",
  ],
  [
    "a bank account number changes",
    "<p>IBAN PT50 0002 0123 1234 5678 9015 4</p>",
    "<p>IBAN LT12 1000 0111 0100 1000 77</p>",
  ],
  [
    "a wallet address changes",
    "<p>bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq</p>",
    "<p>bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4</p>",
  ],
  ["Japanese words change", "<p>送料は無料です。</p>", "<p>送料は五百円です。</p>"],
  ["Arabic words change", "<p>الشحن مجاني</p>", "<p>الشحن متوقف</p>"],
  ["Russian words change", "<p>Доставка бесплатна.</p>", "<p>Доставка платная.</p>"],
  ["an emoji that shows a state changes", "<p>Workshop: 🟢</p>", "<p>Workshop: 🔴</p>"],
  ["a check mark becomes a cross", "<p>Frost-proof ✔</p>", "<p>Frost-proof ✘</p>"],
  [
    "text in a details element changes",
    "<details><summary>Warranty</summary><p>Two years</p></details>",
    "<details><summary>Warranty</summary><p>Ten years</p></details>",
  ],
  [
    "preformatted code changes",
    "<pre>retries = 3\ntimeout = 30</pre>",
    "<pre>retries = 3\ntimeout = 60</pre>",
  ],
]);

const dates = lines(group, inOffice, [
  ["a deadline changes", "<p>Apply before 12 March 2027.</p>", "<p>Apply before 30 April 2027.</p>"],
  ["opening hours change", "<p>Open 9:00 to 17:00</p>", "<p>Open 9:00 to 15:00</p>"],
  [
    "the date of a policy's last update changes",
    "<p>Last updated: 1 March 2026</p>",
    "<p>Last updated: 5 June 2026</p>",
  ],
  [
    "the hour of a meeting changes",
    "<p>The council meets at 18:00.</p>",
    "<p>The council meets at 19:30.</p>",
  ],
  ["a year changes", "<p>Fees for 2026</p>", "<p>Fees for 2027</p>"],
  ["a date of birth limit changes", "<p>Born before 01/01/2009</p>", "<p>Born before 01/01/2011</p>"],
  [
    "a departure time changes",
    "<table><tr><td>Ferry 12</td><td>08:15</td></tr></table>",
    "<table><tr><td>Ferry 12</td><td>08:40</td></tr></table>",
  ],
]);

const inLongLines = lines(group, long, [
  ["the middle of a long paragraph changes", "The fee is 40 crowns.", "The fee is 55 crowns."],
  ["the middle of a long paragraph is removed", "Dogs must stay outside.", ""],
]);

const elsewhere = [
  ...rows(group, (text) => news({ footer: `<p>${text}</p>` }), alerted(["Garrow"]), [
    ["the owner named in the footer changes", "A paper of Hollin Press", "A paper of Garrow Holdings"],
  ]),
  ...rows(group, (text) => shop({ header: `<p>${text}</p>` }), alerted(["strike"]), [
    ["a notice is added to the header", "", "Because of a strike parcels are late"],
  ]),
  ...rows(group, (text) => shop({ top: text }), alerted(["recall"]), [
    [
      "a notice is added above the header",
      "",
      '<div class="notice">Safety recall: cans sold in May may leak</div>',
    ],
  ]),
  ...rows(group, (title) => shop({ title }), alerted(["withdrawn"]), [
    ["the title changes", "Copper can", "Copper can (withdrawn)"],
  ]),
  ...rows(group, (title) => office({ title }), alerted(["Slots"]), [
    ["the title announces available slots", "Appointments", "Slots available!"],
  ]),
  ...rows(group, (text) => scope({ main: text }), alerted(["Duplicates"]), [
    ["a rule changes", "<p>Duplicates are paid half.</p>", "<p>Duplicates are not paid.</p>"],
  ]),
];

const order = rows(group, inOffice, alerted(), [
  [
    "the ranking of a list changes",
    "<ol><li>Ana 41</li><li>Bo 40</li><li>Cy 12</li></ol>",
    "<ol><li>Bo 42</li><li>Ana 41</li><li>Cy 12</li></ol>",
  ],
]);

export const edits: Scenario[] = [...words, ...dates, ...inLongLines, ...elsewhere, ...order];
