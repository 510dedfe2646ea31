// Which changes are alerted.
import type { Condition } from "#contract/alert-if.ts";
import { alerted, type Scenario, suppressed } from "../../scenario.ts";
import { byRule, page, type RuleRow } from "./by-rule.ts";

const only = (...conditions: Condition[]) => ({ alertIf: { match: "all" as const, conditions } });
const any = (...conditions: Condition[]) => ({ alertIf: { match: "any" as const, conditions } });
const textIs = (is: "added" | "removed" | "present" | "absent", text: string): Condition => ({
  what: "text",
  is,
  text,
});
const lines = (...all: string[]) => `<main>${all.map((line) => `<p>${line}</p>`).join("")}</main>`;
const additions: Condition = { what: "only", is: "additions" };
const removals: Condition = { what: "only", is: "removals" };

const texts: RuleRow[] = [
  [
    "a text is added",
    only(textIs("added", "sale")),
    [lines("Lamp", "a"), lines("Lamp sale", "a")],
    alerted(["sale"]),
  ],
  [
    "another text is added",
    only(textIs("added", "sale")),
    [lines("Lamp", "a"), lines("Lamp", "b")],
    suppressed(["was not added"]),
  ],
  [
    "a text is removed",
    only(textIs("removed", "sold out")),
    [lines("Lamp sold out"), lines("Lamp")],
    alerted(),
  ],
  ["a text is present", only(textIs("present", "lamp")), [lines("Lamp", "a"), lines("Lamp", "b")], alerted()],
  ["a text is absent", only(textIs("absent", "error")), [lines("a"), lines("b")], alerted()],
  [
    "a text that must be absent is there",
    only(textIs("absent", "error")),
    [lines("a"), lines("error")],
    suppressed(["is there"]),
  ],
  [
    "a pattern is added",
    only(textIs("added", "/v\\d+\\.\\d+/")),
    [lines("Lamp"), lines("Lamp v1.2")],
    alerted(["v1.2"]),
  ],
  [
    "what a pattern matches changes",
    only(textIs("added", "/v\\d+\\.\\d+/")),
    [lines("Lamp v1.2"), lines("Lamp v1.3")],
    alerted(["v1.3"]),
  ],
  [
    "what a pattern matched is replaced",
    only(textIs("removed", "/v\\d+\\.\\d+/")),
    [lines("Lamp v1.2"), lines("Lamp v1.3")],
    alerted(["v1.3"]),
  ],
  [
    "a pattern's match only moves",
    only(textIs("added", "/v\\d+\\.\\d+/")),
    [lines("v1.2", "a", "b one"), lines("a", "b two", "v1.2")],
    suppressed(["was not added"]),
  ],
  [
    "one of two",
    any(textIs("added", "x"), textIs("added", "sale")),
    [lines("a"), lines("a sale")],
    alerted(),
  ],
  [
    "both of two",
    only(textIs("added", "big"), textIs("added", "sale")),
    [lines("a"), lines("a sale")],
    suppressed(),
  ],
];

const blocks: RuleRow[] = [
  [
    "while a text blocks, the old capture stays the baseline",
    only(textIs("absent", "please wait")),
    [lines("Price 5"), lines("Please wait"), lines("Price 5", "Now open")],
    suppressed(),
    { is: "alerted", says: ["Now open"] },
  ],
  [
    "after the block nothing has changed",
    only(textIs("absent", "please wait")),
    [lines("Price 5"), lines("Please wait"), lines("Price 5")],
    suppressed(),
    { is: "same" },
  ],
  [
    "the change came during the block",
    only(textIs("absent", "please wait")),
    [lines("Price 5"), lines("Price 6", "Please wait"), lines("Price 6")],
    suppressed(),
    alerted(["Price 6"]),
  ],
  [
    "several blocked checks",
    only(textIs("absent", "busy")),
    [lines("A 1"), lines("busy 1"), lines("busy 2"), lines("A 2")],
    suppressed(),
    suppressed(),
    alerted(["A 2"]),
  ],
];

const kinds: RuleRow[] = [
  [
    "a line is added",
    only(additions),
    [lines("a one", "b two"), lines("a one", "b two", "c three")],
    alerted(["c three"]),
  ],
  ["a line is removed", only(additions), [lines("a one", "b two"), lines("a one")], suppressed(["removed"])],
  [
    "a line is added and another removed",
    only(additions),
    [lines("apples here", "pears here", "plums here"), lines("pears here", "plums here", "grapes there")],
    alerted(["grapes there"]),
  ],
  ["a line is edited", only(additions), [lines("Price 5"), lines("Price 6")], suppressed()],
  [
    "only removals: a line goes",
    only(removals),
    [lines("a one", "b two"), lines("a one")],
    alerted(["b two"]),
  ],
  [
    "only removals: a line comes",
    only(removals),
    [lines("a one"), lines("a one", "b two")],
    suppressed(["added"]),
  ],
  [
    "only removals: one goes, one comes",
    only(removals),
    [lines("apples here", "pears here", "plums here"), lines("pears here", "plums here", "grapes there")],
    alerted(["apples here"]),
  ],
];

const amounts: RuleRow[] = [
  [
    "longer than a limit",
    only({ what: "size", of: "characters", is: "above", amount: 20 }),
    [lines("Short"), lines("Now this is a much longer text")],
    alerted(),
  ],
  [
    "not long enough",
    only({ what: "size", of: "characters", is: "above", amount: 100 }),
    [lines("Short"), lines("Now this is a much longer text")],
    suppressed(["characters"]),
  ],
  [
    "fewer words",
    only({ what: "size", of: "words", is: "below", amount: 3 }),
    [lines("one two three four"), lines("one two")],
    alerted(),
  ],
  [
    "too many words",
    only({ what: "size", of: "words", is: "below", amount: 3 }),
    [lines("one two"), lines("one two three four")],
    suppressed(["words"]),
  ],
  [
    "lines",
    only({ what: "size", of: "lines", is: "above", amount: 2 }),
    [lines("a1", "b1"), lines("a1", "b1", "c1")],
    alerted(),
  ],
  [
    "less alike than a share",
    only({ what: "similarity", is: "below", amount: 70 }),
    [lines("a one", "b two"), lines("x nine", "y ten", "z eleven")],
    alerted(),
  ],
  [
    "too much alike",
    only({ what: "similarity", is: "below", amount: 50 }),
    [lines("a one", "b two", "c three", "d four"), lines("a one", "b two", "c three", "d five")],
    suppressed(["similarity is"]),
  ],
  [
    "matches above a number",
    only({ what: "matches", text: "in stock", is: "above", amount: 1 }),
    [lines("Lamp in stock", "Door sold"), lines("Lamp in stock", "Door in stock")],
    alerted(),
  ],
  [
    "matches below a number",
    only({ what: "matches", text: "/\\bfree\\b/i", is: "below", amount: 1 }),
    [lines("Free seat", "a"), lines("Full", "b")],
    alerted(),
  ],
  [
    "too few matches",
    only({ what: "matches", text: "in stock", is: "above", amount: 1 }),
    [lines("Lamp in stock", "Door 1"), lines("Lamp in stock", "Door 2")],
    suppressed(["in stock"]),
  ],
];

export const conditionRules: Scenario[] = [
  ...byRule("rules: texts that are alerted", page, texts),
  ...byRule("rules: blocking texts", page, blocks),
  ...byRule("rules: kinds of changes", page, kinds),
  ...byRule("rules: amounts", page, amounts),
];
