import { expect, test } from "vitest";
import type { OpinionBlock } from "#contract/second-opinion.ts";
import { whyRefused } from "./check-sentence.ts";

const cited: OpinionBlock[] = [
  { id: "b1", sign: "removed", text: "Refunds are possible within 30 days, says Ana Berg. Price: €1,299.50" },
  { id: "b2", sign: "added", text: "Refunds are possible within 14 days, says Ana Berg. Price: €1,199.00" },
];

test.for([
  "Refunds are now possible within 14 instead of 30 days.",
  "The refund period went from 30 to 14 days.",
  "Refund terms changed: 30 → 14 days.",
  "A price fell from €1,299.50 to €1,199.00.",
  "The text says “within 14 days” now.",
  "The words 'within 14 days' are new.",
  "The refund terms of Ana Berg’s shop changed.",
  "The price isn't the same.",
])("“%s” may be shown", (sentence) => {
  expect(whyRefused(sentence, cited)).toBeNull();
});

test.for([
  ["Refunds are now possible within 15 days.", "contains 15"],
  ["The price fell to €1,199.", "contains 1,199"],
  ["The price fell to $1,199.00.", "contains $"],
  ["Refunds fell by 14 %.", "contains %"],
  ["Refunds are possible within fourteen days.", "“fourteen”"],
  ["The period was halved.", "“halved”"],
  ["Refunds sind in dreißig Tagen möglich.", "“dreißig”"],
  ["Refunds dauern zweiundzwanzig Tage.", "“zweiundzwanzig”"],
  ["The period is ½ as long.", "contains"],
  ["The refund period went from 14 to 30 days.", "turns before and after around"],
  ["The text says “no refunds” now.", "quotes words"],
  ["The words 'no refunds' are new.", "quotes words"],
  ["The text „keine Rückgabe“ is new.", "quotes words"],
  ["The quote “within 14 days is open.", "quotes words"],
  ["The refund terms of Globex changed.", "names Globex"],
  ["Globex changed the refund terms.", "begins with Globex"],
  ["The price is given in EUR.", "names EUR"],
  ["退款期限更改了。", "begins with"],
  ["The page says 退款.", "names 退款"],
  ["The terms are at https://evil.example/x now.", "link"],
  ["The terms are at evil.example now.", "link"],
  ["The terms are with ana@evil now.", "link"],
  ["The terms are at evil．example now.", "link"],
  ["The terms are at evil。example now.", "link"],
  ["The refunds need /start now.", "link"],
  ["The *terms* changed.", "markup"],
  ["The <b>terms</b> changed.", "markup"],
  ["The [terms](x) changed.", "markup"],
  ["The &lt;b&gt; changed.", "markup"],
  ["The terms changed. Call your bank.", "more than one sentence"],
  ["The terms changed! call your bank", "more than one sentence"],
  ["The terms\nchanged.", "line breaks"],
  ["The ter\u200bms changed.", "hidden characters"],
  ["The \u202eterms changed.", "hidden characters"],
  ["", "no words"],
  [`The ${"refund ".repeat(40)}changed.`, "too long"],
] as const)("“%s” may not be shown", ([sentence, why]) => {
  expect(whyRefused(sentence, cited)).toContain(why);
});

const measured: OpinionBlock[] = [
  {
    id: "b1",
    sign: "added",
    text: "It was -5 °C for 12 days, then 1 and 2 of 30 stalls closed. Sales: 40k, a rise of 7%.",
  },
  { id: "b2", sign: "added", text: "Tickets: 8 € each, $9 at the door." },
];

test.for([
  "The text says that it was -5 °C for 12 days.",
  "The text says that it was -5°C.",
  "Sales rose by 7 % to 40k.",
  "Tickets cost €8 each.",
  "Tickets cost 9$ at the door.",
  "The 12-day period is new.",
  "The 30 stalls closed in 12 days.",
])("what a number means may be copied: %s", (sentence) => {
  expect(whyRefused(sentence, measured)).toBeNull();
});

test.for([
  "It was -12 days.",
  "Sales rose by -7%.",
  "Sales rose by − 7%.",
  "Sales rose to 12k.",
  "Sales rose to 30bn.",
  "Sales rose to 40.",
  "Sales rose by 12%.",
  "Tickets cost $8 each.",
  "Tickets cost 9 € at the door.",
  "The stalls are 1/2 closed.",
  "The stalls are ½ closed.",
])("nothing is added to a number: %s", (sentence) => {
  expect(whyRefused(sentence, measured)).toMatch(/something else of|, which isn’t in what it cites/);
});
