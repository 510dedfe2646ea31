import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";

const filler =
  "<h1>Hall</h1><p>Guests keep the kitchen clean and lock the door when they leave the house.</p>";
const judge = (wrap: (piece: string) => string) => (before: string, after: string) => {
  const page = (piece: string) => snapshotOf(wrap(piece), "html", "https://www.example.test/");
  const { changed, ignored } = compare(page(before), page(after), emptyMemory()).verdict;
  return changed ? "told" : ignored.length > 0 ? "noise" : "same";
};
const inMain = judge((piece) => `<main>${filler.repeat(4)}${piece}</main>`);
const inFooter = judge(
  (piece) => `<main>${filler.repeat(4)}</main><footer><p>House of guests</p>${piece}</footer>`,
);

describe("in the main content", () => {
  test.each([
    ["a captcha sum", "<p>8 + 12 =</p>", "<p>2 + 4 =</p>"],
    ["a relative time that becomes a date", "<p>Updated over a month ago</p>", "<p>June 10, 2026</p>"],
    ["years in a relative time", "<p>Joined 2 years ago</p>", "<p>Joined 3 years ago</p>"],
    [
      "hidden words split into other elements",
      '<h2 style="opacity:0">Terms of the house</h2>',
      '<h2 style="opacity:0"><div>Terms</div> <div>of</div> <div>the</div> <div>house</div></h2>',
    ],
    ["a dialog in a custom element", "", "<my-modal><p>Choose your country</p></my-modal>"],
  ])("is noise: %s", (_name, before, after) => expect(inMain(before, after)).toBe("noise"));

  test.each([
    ["a sum with its result in a statement", "<p>8 + 12 = 20 rooms</p>", "<p>8 + 14 = 22 rooms</p>"],
    ["a date that becomes a relative time", "<p>Updated June 10, 2026</p>", "<p>Updated 2 hours ago</p>"],
    [
      "a number in another link",
      '<p>Rooms <a href="/rooms">21</a></p>',
      '<p>Rooms <a href="/rooms">23</a></p>',
    ],
    [
      "news next to a feedback button",
      "",
      "<div><p>Lamp 7 is recalled</p><button>Give feedback</button></div>",
    ],
    [
      "a list of related pages",
      '<section class="related"><ul><li>Scams</li><li>Fees</li></ul></section>',
      '<section class="related"><ul><li>Clubs</li><li>Fees</li></ul></section>',
    ],
    ["a newsletter form", "", "<div><p>Our e-mail</p><p>Every day</p><p>Subscribe</p></div>"],
    ["stock quotes", "<p>$65,833.24</p><p>4.43%</p>".repeat(3), "<p>$65,900.24</p><p>4.50%</p>".repeat(3)],
    [
      "years in a sentence",
      "<p>The bell of this house was cast 80 years ago by the smith of the harbour.</p>",
      "<p>The bell of this house was cast 90 years ago by the smith of the harbour.</p>",
    ],
    ["a custom element that is no dialog", "", "<my-note><p>Choose your country</p></my-note>"],
    ["words about a restaurant's menu", "<p>Open menu on Sunday</p>", "<p>Closed menu on Sunday</p>"],
    [
      "a dash in place of a value",
      "<table><tr><td>4</td></tr></table>",
      "<table><tr><td>–</td></tr></table>",
    ],
    ["hidden words that become visible", "<p hidden>Closed today</p>", "<p>Closed today</p>"],
  ])("is a change: %s", (_name, before, after) => expect(inMain(before, after)).toBe("told"));
});

describe("outside the main content", () => {
  test.each([
    ["another country", "<p>fr France/Français</p>", "<p>fr Français/Français</p>"],
    ["another currency", "<p>United States</p>", "<p>€EUR - Euro United States</p>"],
    ["another language", "<p>Español</p>", "<p>Español – América Latina</p>"],
    ["a French sign-in prompt", "", "<p>Retrouvez votre espace client</p><p>Identifiez-vous</p>"],
    ["a store chooser", "", "<p>Choisir mon magasin</p>"],
    ["the heading of a menu", "", "<h2>Navigation</h2>"],
    [
      "a timestamp after the time of rendering",
      "<p>© House of guests. Rendered in 13 ms at 2026-11-18T22:51:29.915Z</p>",
      "<p>© House of guests. Rendered in 81 ms at 2026-11-19T07:03:30.016Z</p>",
    ],
    ["a count in a heading", "<h2>Inbox 1.204.112</h2>", "<h2>Inbox 1.204.115</h2>"],
    ["an IP address", "<p>Your address: 203.0.113.9</p>", "<p>Your address: 198.51.100.77</p>"],
    ["a short date", "<p>Rev. 18.11.26</p>", "<p>Rev. 19.11.26</p>"],
    ["a date with slashes", "<p>Updated 18/11/2026 22:51</p>", "<p>Updated 19/11/2026 07:03</p>"],
    ["a time with its offset", "<p>Built 2026-11-18 22:51 +0100</p>", "<p>Built 2026-11-19 07:03 +0100</p>"],
  ])("is noise: %s", (_name, before, after) => expect(inFooter(before, after)).toBe("noise"));

  test.each([
    ["an amount of money", "<p>12 EUR</p>", "<p>14 EUR</p>"],
    ["a footer entry", "<p>Press</p>", "<p>Insolvency</p>"],
    ["a version in a label", "<p>Hall 3.5.1</p>", "<p>Hall 3.6.0</p>"],
    ["a version next to a date", "<p>2026-11-18 – v2.4</p>", "<p>2026-11-18 – v2.5</p>"],
    ["a version of one part", "<p>Wersja 12</p>", "<p>Wersja 13</p>"],
    ["the version in a heading", "<h1>npm-view @10.8.1</h1>", "<h1>npm-view @10.9.0</h1>"],
    [
      "one of three fees",
      "<p>Card</p><p>$5</p><p>2%</p><p>Wire</p><p>$9</p><p>3%</p><p>Cash</p><p>$1</p><p>1%</p>",
      "<p>Card</p><p>$6</p><p>2%</p><p>Wire</p><p>$9</p><p>3%</p><p>Cash</p><p>$1</p><p>1%</p>",
    ],
    [
      "news next to a newsletter form",
      "",
      "<p>We move to Mill Lane</p><p>Email</p><button>Subscribe</button>",
    ],
    ["a check mark that becomes a cross", "<p>✓</p>", "<p>✗</p>"],
    ["a telephone number", "<p>Desk 01-23-45-67-89</p>", "<p>Desk 01-23-45-67-90</p>"],
    ["a number after opening hours", "<p>9:00 +4930 1234</p>", "<p>9:00 +4930 1235</p>"],
    ["a version like a date", "<p>Terms 2026-11-18-22</p>", "<p>Terms 2026-11-19-23</p>"],
    ["two prices", "<p>$65</p><p>4%</p>", "<p>$75</p><p>5%</p>"],
    [
      "a headline that names countries",
      "<p>Press</p>",
      "<p>Floods reach the north of France and Germany</p>",
    ],
  ])("is a change: %s", (_name, before, after) => expect(inFooter(before, after)).toBe("told"));
});

test("a date with a time is noise if it matches the day of each response, else it is a change", () => {
  const at = (stamp: string, sent: string) => ({
    ...snapshotOf(`<main>${filler.repeat(4)}<p>${stamp}</p></main>`, "html", "https://www.example.test/"),
    headers: [["date", `${sent} 11:11:30 GMT`]] as [string, string][],
  });
  const isChange = (before: string, after: string) =>
    compare(at(before, "Sat, 29 Jan 2022"), at(after, "Sun, 30 Jan 2022"), emptyMemory()).verdict.changed;
  expect(isChange("29.01.2022 10:40", "30.01.2022 09:15")).toBe(false);
  expect(isChange("Sat 29.01.2022 10:40", "Sun 30.01.2022 09:15")).toBe(false);
  expect(isChange("29 Jan 10:40", "30 Jan 09:15")).toBe(false);
  expect(isChange("9 March 2021 13:46", "9 March 2021 13:52")).toBe(true);
  expect(isChange("9 March 2021 13:46", "10 March 2021 13:46")).toBe(true);
  expect(isChange("9 March 2021 13:46", "30 January 2022 10:46")).toBe(true);
});
