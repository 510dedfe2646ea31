import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory.ts";
import { snapshotOf } from "../snapshot-of.ts";

const rest = "<h1>Hall</h1><p>Guests keep the kitchen clean and lock the door when they leave the house.</p>";
const judge = (wrap: (piece: string) => string) => (before: string, after: string) => {
  const page = (piece: string) => snapshotOf(wrap(piece), "html", "https://www.example.test/");
  const { changed, ignored } = compare(page(before), page(after), emptyMemory()).verdict;
  return changed ? "told" : ignored.length > 0 ? "noise" : "same";
};
const inMain = judge((piece) => `<main>${rest.repeat(4)}${piece}</main>`);
const inFooter = judge(
  (piece) => `<main>${rest.repeat(4)}</main><footer><p>House of guests</p>${piece}</footer>`,
);

describe("in the content", () => {
  test.each([
    ["a sum for robots", "<p>8 + 12 =</p>", "<p>2 + 4 =</p>"],
    ["a reading time", "<p>29 January 2022 • 8 min</p>", "<p>29 January 2022 • 9 min</p>"],
    ["a reading time in words", "<p>4 min read</p>", "<p>5 min read</p>"],
    ["a stamp that grew old", "<p>Updated over a month ago</p>", "<p>June 10, 2026</p>"],
    ["years in a stamp", "<p>Joined 2 years ago</p>", "<p>Joined 3 years ago</p>"],
    ["a time that goes", "<p>Published: 13 minutes ago</p>", "<p>Published:</p>"],
    [
      "a number that the markup calls comments",
      '<p>By Ann <a href="/a#comments">21</a></p>',
      '<p>By Ann <a href="/a#comments">23</a></p>',
    ],
    [
      "a survey that comes whole",
      "",
      "<div><p>Have a moment?</p><p>Tell us how we are doing</p><button>Take Survey</button></div>",
    ],
    [
      "hidden words cut otherwise",
      '<h2 style="opacity:0">Terms of the house</h2>',
      '<h2 style="opacity:0"><div>Terms</div> <div>of</div> <div>the</div> <div>house</div></h2>',
    ],
    ["a dialogue of the author's own", "", "<my-modal><p>Choose your country</p></my-modal>"],
    ["what opens a menu", "<button>Open menu</button>", "<button>Close menu</button>"],
    ["a way past the menu", "", "<a href='#a'>Aller au contenu principal</a>"],
    ["a hidden machine word", "<p hidden>Sapp18</p>", "<p hidden>Sapp16</p>"],
  ])("noise: %s", (_name, before, after) => expect(inMain(before, after)).toBe("noise"));

  test.each([
    ["a sum that is said", "<p>8 + 12 = 20 rooms</p>", "<p>8 + 14 = 22 rooms</p>"],
    ["a stamp that grew young", "<p>Updated June 10, 2026</p>", "<p>Updated 2 hours ago</p>"],
    [
      "a number in another link",
      '<p>Rooms <a href="/rooms">21</a></p>',
      '<p>Rooms <a href="/rooms">23</a></p>',
    ],
    ["news with a survey", "", "<div><p>Lamp 7 is recalled</p><button>Give feedback</button></div>"],
    [
      "a list of related pages",
      '<section class="related"><ul><li>Scams</li><li>Fees</li></ul></section>',
      '<section class="related"><ul><li>Clubs</li><li>Fees</li></ul></section>',
    ],
    ["a newsletter in the content", "", "<div><p>Our e-mail</p><p>Every day</p><p>Subscribe</p></div>"],
    ["a quote", "<p>$65,833.24</p><p>4.43%</p>".repeat(3), "<p>$65,900.24</p><p>4.50%</p>".repeat(3)],
    [
      "years in a sentence",
      "<p>The bell of this house was cast 80 years ago by the smith of the harbour.</p>",
      "<p>The bell of this house was cast 90 years ago by the smith of the harbour.</p>",
    ],
    ["an element of the author's own", "", "<my-note><p>Choose your country</p></my-note>"],
    ["a menu that is served", "<p>Open menu on Sunday</p>", "<p>Closed menu on Sunday</p>"],
    ["a dash for a value", "<table><tr><td>4</td></tr></table>", "<table><tr><td>–</td></tr></table>"],
    ["words shown that were hidden", "<p hidden>Closed today</p>", "<p>Closed today</p>"],
  ])("told: %s", (_name, before, after) => expect(inMain(before, after)).toBe("told"));
});

describe("around it", () => {
  test.each([
    ["another country", "<p>fr France/Français</p>", "<p>fr Français/Français</p>"],
    ["another currency", "<p>United States</p>", "<p>€EUR - Euro United States</p>"],
    ["another language", "<p>Español</p>", "<p>Español – América Latina</p>"],
    ["a sign-in in French", "", "<p>Retrouvez votre espace client</p><p>Identifiez-vous</p>"],
    ["a market", "", "<p>Choisir mon magasin</p>"],
    ["the name of a menu", "", "<h2>Navigation</h2>"],
    ["signs between the steps of a path", "<p>/</p><p>…</p>", ""],
    [
      "a newsletter that comes whole",
      "<p>undefined</p>",
      "<p>Subscribe for the latest news</p><label>Email</label><p>I agree</p><button>Subscribe now</button>",
    ],
    [
      "a market's tape",
      "<p>BTC</p><p>$65,833.24</p><p>4.43%</p>".repeat(3),
      "<p>ETH</p><p>$1,900.24</p><p>4.50%</p>".repeat(3),
    ],
  ])("noise: %s", (_name, before, after) => expect(inFooter(before, after)).toBe("noise"));

  test.each([
    ["an amount of money", "<p>12 EUR</p>", "<p>14 EUR</p>"],
    ["an entry", "<p>Press</p>", "<p>Insolvency</p>"],
    [
      "a fee of three",
      "<p>Card</p><p>$5</p><p>2%</p><p>Wire</p><p>$9</p><p>3%</p><p>Cash</p><p>$1</p><p>1%</p>",
      "<p>Card</p><p>$6</p><p>2%</p><p>Wire</p><p>$9</p><p>3%</p><p>Cash</p><p>$1</p><p>1%</p>",
    ],
    ["a note with a newsletter", "", "<p>We move to Mill Lane</p><p>Email</p><button>Subscribe</button>"],
    ["a mark", "<p>✓</p>", "<p>✗</p>"],
    ["two prices", "<p>$65</p><p>4%</p>", "<p>$75</p><p>5%</p>"],
    ["a headline with a country", "<p>Press</p>", "<p>Floods reach the north of France and Germany</p>"],
  ])("told: %s", (_name, before, after) => expect(inFooter(before, after)).toBe("told"));
});

test("a clock beside a date is the page's time on the day it was sent, else the date is told", () => {
  const at = (stamp: string, sent: string) => ({
    ...snapshotOf(`<main>${rest.repeat(4)}<p>${stamp}</p></main>`, "html", "https://www.example.test/"),
    headers: [["date", `${sent} 11:11:30 GMT`]] as [string, string][],
  });
  const isTold = (before: string, after: string) =>
    compare(at(before, "Sat, 29 Jan 2022"), at(after, "Sun, 30 Jan 2022"), emptyMemory()).verdict.changed;
  expect(isTold("29.01.2022 10:40", "30.01.2022 09:15")).toBe(false);
  expect(isTold("Sat 29.01.2022 10:40", "Sun 30.01.2022 09:15")).toBe(false);
  expect(isTold("29 Jan 10:40", "30 Jan 09:15")).toBe(false);
  expect(isTold("9 March 2021 13:46", "9 March 2021 13:52")).toBe(true);
  expect(isTold("9 March 2021 13:46", "10 March 2021 13:46")).toBe(true);
  expect(isTold("9 March 2021 13:46", "30 January 2022 10:46")).toBe(true);
});

describe("a clock between others", () => {
  const at = (clock: string, sent: string) => ({
    ...snapshotOf(
      `<main>${rest.repeat(4)}<p>08:00</p><p>Bell</p><p>09:00</p><p>Gate</p><p>${clock}</p></main>`,
      "html",
      "https://www.example.test/",
    ),
    headers: [["date", `Sat, 29 Jan 2022 ${sent}:30 GMT`]] as [string, string][],
  });
  const isTold = (before: string, after: string) =>
    compare(at(before, "11:11"), at(after, "11:34"), emptyMemory()).verdict.changed;

  test("that went on by the time between two captures tells the page's time", () => {
    expect(isTold("12:07", "12:30")).toBe(false);
    expect(isTold("11:58 AM", "12:21 PM")).toBe(false);
  });

  test("that went on by another time is told", () => {
    expect(isTold("12:07", "12:45")).toBe(true);
    expect(isTold("12:07", "11:44")).toBe(true);
  });
});
