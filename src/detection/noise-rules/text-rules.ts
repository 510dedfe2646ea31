import { findConsentRun } from "../boilerplate/find-consent-run.ts";
import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import type { Block } from "../html-parsing/page.ts";
import { maskNow } from "../noise/mask-now.ts";
import { isMachineText } from "../noise/mask-text.ts";
import { isSameExceptReplaced } from "../noise/same-except-replaced.ts";
import { isTimeReworded } from "../noise/times.ts";
import { isPersonal } from "../noise/visitor.ts";
import { alike, type TextChange } from "../text/pair-blocks.ts";
import { kindOf, type NoiseRow, type NoiseRule } from "./noise-rule.ts";

/** One difference in a page's text, with what is known about its surroundings. */
export type TextFact = {
  before: Block | null;
  after: Block | null;
  /** The block on the newer side that has one. */
  block: Block;
  /** Whether the zone or hidden part that it is in has text that is on both sides. */
  isPartStable: boolean;
  /** When the two pages were sent, if that is known. */
  sent: [old: number, now: number] | null;
  run: Run;
};

/** What changed at one position, between text that is on both sides: consent prompts, and labels for the visitor. */
type Run = { consent: Set<Block>; hasVisitorLabel: boolean };

export function runOf(changes: TextChange[], removed: Block[], added: Block[]): Run {
  return {
    consent: new Set([...findConsentRun(removed), ...findConsentRun(added)]),
    hasVisitorLabel: changes.some((change) => isOutside(change) && both(change, isPersonal)),
  };
}

type Sides = Pick<TextFact, "before" | "after">;
const both = ({ before, after }: Sides, test: (text: string) => boolean) =>
  (!before || test(before.text)) && (!after || test(after.text));
const isOutside = ({ before, after }: Sides) => isBoilerplate((after ?? before)?.area ?? "");
// Greetings and hints next to a basket are short; a longer text there has a meaning of its own.
const MAX_PERSONAL = 60;
type ZoneKind = "consent" | "widget" | "advertisement" | "rotation";
/** A part of a page that comes and goes as a whole. */
function zoneRule(
  id: `${ZoneKind}.${string}`,
  claim: string,
  zone: Block["zone"] = kindOf(id) as ZoneKind,
): NoiseRule<TextFact> {
  const test = ({ before, after, block, isPartStable }: TextFact) =>
    block.zone === zone && !isEditInside(before, after, isPartStable);
  return { id, claim, where: "anywhere", test };
}

/** Decided before the pieces of text are judged one by one. */
export const wholeTextRows: readonly NoiseRow[] = [
  {
    id: "markup.recut",
    claim: "The same words, split into blocks in another way",
    where: "anywhere",
  },
  {
    id: "order.moved",
    claim:
      "Words that are on both pages equally often, at another position; a short value moves with its neighbor",
    where: "anywhere",
  },
];

/** Rules for one difference in text, in this order. What an attacker gains by is judged before them. */
export const textRules: readonly NoiseRule<TextFact>[] = [
  {
    id: "consent.run",
    claim: "A consent prompt without a name: from a text about cookies to buttons for and against",
    where: "outside the main content",
    test: ({ before, after, run }) =>
      (!before || run.consent.has(before)) && (!after || run.consent.has(after)),
  },
  zoneRule("consent.zone", "A consent banner or dialog, as a whole"),
  zoneRule(
    "widget.zone",
    "A chat launcher, survey, share bar or similar part, by its name and its size, as a whole",
  ),
  zoneRule("widget.dialog", "A dialog that can be closed, as a whole", "dialog"),
  zoneRule("advertisement.zone", "An element named as an advertisement, with a link or still empty"),
  zoneRule("rotation.zone", "A carousel or a feed, by its name"),
  {
    id: "markup.replacement",
    claim: "U+FFFD, the mark of a byte that could not be decoded, for what it replaced in the same words",
    where: "anywhere",
    test: ({ before, after }) =>
      before !== null && after !== null && isSameExceptReplaced(before.text, after.text),
  },
  {
    id: "time.reworded",
    claim: "One moment, written in another way as it gets older, or not written yet",
    where: "anywhere",
    test: ({ before, after }) => before !== null && after !== null && isTimeReworded(before.text, after.text),
  },
  {
    id: "time.sent",
    claim: "The day and hour at which the page was sent",
    where: "anywhere",
    test: ({ before, after, sent }) => {
      if (!before || !after || !sent) return false;
      const masked = maskNow(after.text, sent[1]);
      return masked !== after.text && masked === maskNow(before.text, sent[0]);
    },
  },
  {
    id: "token.machine-text",
    claim:
      "Text that is not meant for readers: encoded data, font probes, sums for robots, numbers of ten decimals",
    where: "anywhere",
    test: (fact) => both(fact, isMachineText),
  },
  {
    id: "hidden.part",
    claim: "A part that was never shown, added or removed as a whole",
    where: "anywhere",
    test: ({ before, after, block, isPartStable }) =>
      block.hidden === "inert" && block.links === 0 && !isPartStable && !(before && after),
  },
  {
    id: "visitor.label",
    claim: "Sign-in, basket, greeting, language and country, and a short text that changed next to one",
    where: "outside the main content",
    test: (fact) =>
      isOutside(fact) &&
      (both(fact, isPersonal) || (fact.run.hasVisitorLabel && fact.block.text.length <= MAX_PERSONAL)),
  },
];

/** Banners and dialogs come and go as a whole; what is edited, added or removed inside one that stays is judged. */
function isEditInside(before: Block | null, after: Block | null, isPartStable: boolean): boolean {
  const block = (after ?? before) as Block;
  const words = block.text.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (block.zone === "rotation" || block.zone === "advertisement") {
    if (words < 6 || block.area !== "main" || !before || !after) return false;
    return alike(before.text, after.text) > 0.5;
  }
  if (before && after && alike(before.text, after.text) > 0.5) return true;
  return isPartStable && words >= 3;
}
