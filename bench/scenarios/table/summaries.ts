// The summary is all that some channels show: it names what changed in the page's own words, however long the line.
import { office, scope, shop } from "../page.ts";
import { alerted, type Scenario } from "../scenario.ts";

const long = (middle: string) =>
  office(
    `<p>${"The rules of the house apply to everybody who enters it. ".repeat(20)}${middle} ${"Whoever breaks something tells the caretaker. ".repeat(20)}</p>`,
  );
const summaryNames = (
  name: string,
  before: Scenario["serves"][number],
  after: Scenario["serves"][number],
  ...words: string[]
): Scenario => ({
  class: "summary",
  name,
  serves: [before, after],
  expect: [{ ...alerted(), says: words }],
});

export const summaries: Scenario[] = [
  summaryNames(
    "the summary names the new stock state",
    shop("<p>Out of stock</p>"),
    shop("<p>Available!</p>"),
    "Available!",
  ),
  summaryNames(
    "the summary names the new price",
    shop('<p class="price">€ 49.00</p>'),
    shop('<p class="price">€ 39.00</p>'),
    "39.00",
  ),
  summaryNames(
    "the summary names a change in the middle of a long line",
    long("The fee is 40 crowns."),
    long("The fee is 55 crowns."),
    "55",
  ),
  summaryNames(
    "the summary names an added paragraph",
    office(""),
    office("<p>Doors open at ten.</p>"),
    "Doors open at ten",
  ),
  summaryNames(
    "the summary names a removed paragraph",
    office("<p>Doors open at ten.</p>"),
    office(""),
    "Doors open at ten",
  ),
  summaryNames(
    "the summary names the new value of a table cell",
    office("<table><tr><td>USD</td><td>1.07</td></tr></table>"),
    office("<table><tr><td>USD</td><td>1.09</td></tr></table>"),
    "1.09",
  ),
  summaryNames(
    "the summary names an added scope entry",
    scope(""),
    scope("<ul><li>vault.lumenpay.example</li></ul>"),
    "vault.lumenpay.example",
  ),
  summaryNames(
    "the summary names a JSON key and its new value",
    { body: '{"stock":5}', type: "application/json" },
    { body: '{"stock":0}', type: "application/json" },
    "stock",
    "0",
  ),
  summaryNames(
    "the summary names a changed line of text",
    { body: "a\nb\nc\n", type: "text/plain" },
    { body: "a\nbeta\nc\n", type: "text/plain" },
    "beta",
  ),
  summaryNames(
    "the summary names a new feed item",
    {
      body: "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title></channel></rss>",
      type: "application/rss+xml",
    },
    {
      body: "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title><item><title>Storm closes the harbour</title><link>%origin%/storm</link></item></channel></rss>",
      type: "application/rss+xml",
    },
    "Storm closes the harbour",
  ),
  summaryNames(
    "the summary names the old and the new status",
    { status: 404, body: "<h1>Nothing here</h1>" },
    { status: 200, body: office("") },
    "404",
    "200",
  ),
  summaryNames(
    "the summary names the host of an added script",
    shop(""),
    shop({ end: '<script src="https://cdn.elsewhere.example/x.js"></script>' }),
    "cdn.elsewhere.example",
  ),
  summaryNames(
    "the summary names the new host of a form",
    office('<form action="/in"><input type="password"></form>'),
    office('<form action="https://elsewhere.example/in"><input type="password"></form>'),
    "elsewhere.example",
  ),
  summaryNames(
    "the summary names the new title",
    office({ title: "Appointments" }),
    office({ title: "Slots available" }),
    "Slots available",
  ),
  summaryNames(
    "the summary names the new host of a link",
    office('<a href="/a">the form</a>'),
    office('<a href="https://elsewhere.example/a">the form</a>'),
    "elsewhere.example",
  ),
];
