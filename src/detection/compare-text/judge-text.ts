import type { LineHunk } from "../diff-lines.ts";
import type { Block, Page } from "../extract-page.ts";
import { contactsIn } from "../noise/contacts.ts";
import { maskNow } from "../noise/mask-now.ts";
import {
  isConsentButton,
  isMachineText,
  isPersonal,
  isPlaceholder,
  isSpam,
  spamWords,
} from "../noise/mask-text.ts";
import { isFrame, isMenu } from "../noise/text-key.ts";
import type { NoiseReason } from "../verdict.ts";
import { alike, type TextChange } from "./pair-blocks.ts";

/** Says of each piece of one hunk why it is no news, where it is none. */
export function judgeText(news: TextChange[], removed: Block[], added: Block[], context: Context): void {
  const consent = isConsentRun(removed) || isConsentRun(added);
  for (const change of news) {
    if (isAttack(change, context)) change.noise = null;
    else change.noise = consent ? "consent" : noiseOf(change, context);
  }
  spreadVisitor(news, context);
}

/** What the judgement of one change needs to know of the whole pages. */
export type Context = {
  /** When the two pages were sent, where that is known. */
  sent: [old: number, now: number] | null;
  oldStanding: Standing;
  newStanding: Standing;
  crowded: boolean;
  spammed: boolean;
  /** Whom the old page named, and around which words. */
  contacts: () => { named: Set<string>; rests: Set<string> };
};

/** Parts and lists of which something stands on both sides. */
type Standing = { roots: Set<number>; lists: Set<number> };

// Menus with more links than this belong to shops and portals, which dress them anew by season and by visitor.
const CROWDED_FRAME = 60;

export function contextOf(older: Page, newer: Page, hunks: LineHunk[]): Context {
  let contacts: ReturnType<Context["contacts"]> | undefined;
  const frameLinks = (page: Page) => page.links.filter((link) => isMenu(link.area)).length;
  const standing = (
    blocks: Block[],
    start: (hunk: LineHunk) => number,
    count: (hunk: LineHunk) => number,
  ): Standing => {
    const roots = new Set<number>();
    const lists = new Set<number>();
    let at = 0;
    const take = (until: number) => {
      for (; at < until; at++) {
        roots.add(blocks[at]?.root ?? -1);
        lists.add(blocks[at]?.list ?? -1);
      }
    };
    for (const hunk of hunks) {
      take(start(hunk));
      at = start(hunk) + count(hunk);
    }
    take(blocks.length);
    return { roots, lists };
  };
  return {
    oldStanding: standing(
      older.blocks,
      (hunk) => hunk.oldStart,
      (hunk) => hunk.oldCount,
    ),
    newStanding: standing(
      newer.blocks,
      (hunk) => hunk.newStart,
      (hunk) => hunk.newCount,
    ),
    sent: older.now !== null && newer.now !== null ? [older.now, newer.now] : null,
    contacts: () => (contacts ??= contactsOf(older)),
    spammed: older.blocks.some((block) => isSpam(block.text)),
    crowded: Math.min(frameLinks(older), frameLinks(newer)) > CROWDED_FRAME,
  };
}

/** What is news wherever it stands: another's contact in an old sentence, and spam where there was none. */
function isAttack({ after }: TextChange, { spammed, contacts }: Context): boolean {
  if (!after) return false;
  if (!spammed && spamWords(after.text) >= (after.hidden === "" ? 2 : 1)) return true;
  const { named, rest } = contactsIn(after.text);
  return named.some((contact) => !contacts().named.has(contact)) && contacts().rests.has(rest);
}

function contactsOf(page: Page): ReturnType<Context["contacts"]> {
  const named = new Set<string>();
  const rests = new Set<string>();
  for (const { text } of page.blocks) {
    const found = contactsIn(text);
    if (found.named.length === 0) continue;
    for (const contact of found.named) named.add(contact);
    rests.add(found.rest);
  }
  return { named, rests };
}

function noiseOf({ before, after }: TextChange, context: Context): NoiseReason | null {
  const block = after ?? before;
  if (!block) return "markup";
  const both = (test: (text: string) => boolean) =>
    (!before || test(before.text)) && (!after || test(after.text));
  const standing = after ? context.newStanding : context.oldStanding;
  const stood = standing.roots.has(block.root);
  if (block.zone !== "" && !isEditInside(before, after, stood))
    return block.zone === "dialog" ? "widget" : block.zone;
  if (before && after && tellsTheDay(before.text, after.text, context.sent)) return "time";
  if (both(isMachineText)) return "token";
  if (both(isPlaceholder)) return "widget";
  if (before && after && before.links > 0.8 && after.links > 0.8 && sameWords(before.text, after.text))
    return "order";
  // A part that is not shown and comes or goes whole is a widget's; one that changes inside is content folded away.
  if (block.hidden === "inert" && block.links === 0 && !stood && !(before && after)) return "hidden";
  if (!isFrame(block.area)) return null;
  if (block.search || block.role === "control") return "widget";
  // Words in a menu that lead nowhere label its parts; an entry among entries that stayed is one of them.
  if (
    block.area === "nav" &&
    block.links === 0 &&
    block.role !== "heading" &&
    !standing.lists.has(block.list)
  ) {
    return "widget";
  }
  if (both(isPersonal)) return "visitor";
  if (context.crowded && isMenu(block.area) && block.links > 0.5) return "rotation";
  return null;
}

function tellsTheDay(before: string, after: string, sent: Context["sent"]): boolean {
  if (!sent) return false;
  const masked = maskNow(after, sent[1]);
  return masked !== after && masked === maskNow(before, sent[0]);
}

/** Dialogues come and go whole; prose that is edited within a part that stays is an edit like any other. */
function isEditInside(before: Block | null, after: Block | null, stood: boolean): boolean {
  const block = (after ?? before) as Block;
  const sells = block.zone === "rotation" || block.zone === "advertisement";
  if (countWords(block.text) < 6 || (sells && block.area !== "main")) return false;
  if (before && after) return alike(before.text, after.text) > 0.5;
  return stood && (block.zone === "consent" || block.zone === "dialog");
}

function countWords(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}

/** What stands between a basket and a sign-in in the frame, and came or went with them, depends on the visitor too. */
function spreadVisitor(changes: TextChange[], context: Context): void {
  if (!changes.some((change) => change.noise === "visitor")) return;
  for (const change of changes) {
    const block = change.after ?? change.before;
    if (change.noise === null && block && isFrame(block.area) && !isAttack(change, context))
      change.noise = "visitor";
  }
}

/** A dialogue that asks for consent and whose markup does not say so: its buttons do. */
function isConsentRun(blocks: Block[]): boolean {
  if (blocks.length < 2 || blocks.length > 80) return false;
  if (blocks.some((block) => block.area === "main")) return false;
  return (
    blocks.some((block) => isConsentButton(block.text)) &&
    blocks.some((block) =>
      /cookie|privacy|consent|datenschutz|confidentialit|privacidad|küpsis|piškot|evästee/iu.test(block.text),
    )
  );
}

/** A list of links in another order; in prose the order of words is meaning. */
function sameWords(before: string, after: string): boolean {
  const sorted = (text: string) => text.split(/\s+/).filter(Boolean).sort().join(" ");
  return sorted(before) === sorted(after);
}
