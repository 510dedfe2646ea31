// Plain edits of what a page says: each is told in the page's own words.
import { news, office, scope, shop } from "../page.ts";
import { lines, rows, type Scenario, told } from "../scenario.ts";

const group = "edit";
const inShop = (piece: string) => shop(piece);
const inOffice = (piece: string) => office(piece);
const long = (middle: string) =>
  office(
    `<p>${"The rules of the house apply to everybody who enters it, whether they come alone or with others. ".repeat(9)}${middle} ${"Whoever breaks something tells the caretaker, who writes it into the book by the door. ".repeat(9)}</p>`,
  );

const words = lines(group, inShop, [
  ["a word", "<p>The can is made by hand.</p>", "<p>The can is made by machine.</p>"],
  ["a number in a sentence", "<p>Delivery takes 3 days.</p>", "<p>Delivery takes 5 days.</p>"],
  ["a negation", "<p>Children may use it.</p>", "<p>Children may not use it.</p>"],
  ["one letter", "<p>Article 7a applies.</p>", "<p>Article 7b applies.</p>"],
  ["punctuation of a price", "<p>Now 1.299</p>", "<p>Now 12.99</p>"],
  ["currency alone", "<p>Price: 40 EUR</p>", "<p>Price: 40 USD</p>"],
  ["a unit", "<p>Shipping from 5 kg</p>", "<p>Shipping from 5 lb</p>"],
  ["a sentence added", "<p>We ship to Europe.</p>", "<p>We ship to Europe. Norway costs extra.</p>"],
  ["a sentence removed", "<p>We ship to Europe. Norway costs extra.</p>", "<p>We ship to Europe.</p>"],
  ["a paragraph added", "", "<p>From June on we also repair cans of other makers.</p>"],
  ["a paragraph removed", "<p>From June on we also repair cans.</p>", ""],
  ["a heading", "<h2>Opening hours</h2>", "<h2>Closing sale</h2>"],
  ["a list entry edited", "<ul><li>Red</li><li>Green</li></ul>", "<ul><li>Red</li><li>Turquoise</li></ul>"],
  [
    "a cell",
    "<table><tr><td>Small</td><td>12</td></tr></table>",
    "<table><tr><td>Small</td><td>13</td></tr></table>",
  ],
  [
    "a row added",
    "<table><tr><td>Small</td><td>12</td></tr></table>",
    "<table><tr><td>Small</td><td>12</td></tr><tr><td>Large</td><td>20</td></tr></table>",
  ],
  [
    "a caption",
    "<figure><figcaption>The workshop in 2019</figcaption></figure>",
    "<figure><figcaption>The workshop after the fire</figcaption></figure>",
  ],
  [
    "a quotation",
    "<blockquote>Best can ever.</blockquote>",
    "<blockquote>It leaked after a week.</blockquote>",
  ],
  ["capital letters", "<p>please note the frost</p>", "<p>PLEASE NOTE THE FROST</p>"],
  ["a telephone number", "<p>Call +351 21 555 0199</p>", "<p>Call +351 21 555 0142</p>"],
  ["a mail address", "<p>Write to smith@fernhill.example</p>", "<p>Write to smith@fernhi11.example</p>"],
  [
    "a bank account",
    "<p>IBAN PT50 0002 0123 1234 5678 9015 4</p>",
    "<p>IBAN LT12 1000 0111 0100 1000 77</p>",
  ],
  [
    "a wallet",
    "<p>bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq</p>",
    "<p>bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4</p>",
  ],
  ["Japanese words", "<p>送料は無料です。</p>", "<p>送料は五百円です。</p>"],
  ["Arabic words", "<p>الشحن مجاني</p>", "<p>الشحن متوقف</p>"],
  ["Russian words", "<p>Доставка бесплатна.</p>", "<p>Доставка платная.</p>"],
  ["an emoji as the state", "<p>Workshop: 🟢</p>", "<p>Workshop: 🔴</p>"],
  ["a tick became a cross", "<p>Frost-proof ✔</p>", "<p>Frost-proof ✘</p>"],
  [
    "a details box",
    "<details><summary>Warranty</summary><p>Two years</p></details>",
    "<details><summary>Warranty</summary><p>Ten years</p></details>",
  ],
  ["code", "<pre>retries = 3\ntimeout = 30</pre>", "<pre>retries = 3\ntimeout = 60</pre>"],
]);

const dates = lines(group, inOffice, [
  ["a deadline", "<p>Apply before 12 March 2027.</p>", "<p>Apply before 30 April 2027.</p>"],
  ["opening hours", "<p>Open 9:00 to 17:00</p>", "<p>Open 9:00 to 15:00</p>"],
  ["a policy's date", "<p>Last updated: 1 March 2026</p>", "<p>Last updated: 5 June 2026</p>"],
  ["a meeting's hour", "<p>The council meets at 18:00.</p>", "<p>The council meets at 19:30.</p>"],
  ["a year", "<p>Fees for 2026</p>", "<p>Fees for 2027</p>"],
  ["a date of birth limit", "<p>Born before 01/01/2009</p>", "<p>Born before 01/01/2011</p>"],
  [
    "a departure",
    "<table><tr><td>Ferry 12</td><td>08:15</td></tr></table>",
    "<table><tr><td>Ferry 12</td><td>08:40</td></tr></table>",
  ],
]);

const inLongLines = lines(group, long, [
  ["in the middle of a long paragraph", "The fee is 40 crowns.", "The fee is 55 crowns."],
  ["a long paragraph loses its middle", "Dogs must stay outside.", ""],
]);

const elsewhere = [
  ...rows(group, (text) => news({ footer: `<p>${text}</p>` }), told(["Garrow"]), [
    ["the owner in the footer", "A paper of Hollin Press", "A paper of Garrow Holdings"],
  ]),
  ...rows(group, (text) => shop({ header: `<p>${text}</p>` }), told(["strike"]), [
    ["a notice in the header", "", "Because of a strike parcels are late"],
  ]),
  ...rows(group, (text) => shop({ top: text }), told(["recall"]), [
    ["a notice above everything", "", '<div class="notice">Safety recall: cans sold in May may leak</div>'],
  ]),
  ...rows(group, (title) => shop({ title }), told(["withdrawn"]), [
    ["the title", "Copper can", "Copper can (withdrawn)"],
  ]),
  ...rows(group, (title) => office({ title }), told(["Slots"]), [
    ["a title that announces", "Appointments", "Slots available!"],
  ]),
  ...rows(group, (text) => scope({ main: text }), told(["Duplicates"]), [
    ["a rule", "<p>Duplicates are paid half.</p>", "<p>Duplicates are not paid.</p>"],
  ]),
];

const order = rows(group, inOffice, told(), [
  [
    "ranking of a list",
    "<ol><li>Ana 41</li><li>Bo 40</li><li>Cy 12</li></ol>",
    "<ol><li>Bo 42</li><li>Ana 41</li><li>Cy 12</li></ol>",
  ],
]);

export const edits: Scenario[] = [...words, ...dates, ...inLongLines, ...elsewhere, ...order];
