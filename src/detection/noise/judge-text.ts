import { contactsIn } from "../hacked-pages/contacts.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import { decide } from "../noise-rules/noise-rule.ts";
import { runOf, textRules } from "../noise-rules/text-rules.ts";
import type { TextChange } from "../text/pair-blocks.ts";
import type { StandingBlock } from "../text/standing-blocks.ts";
import { isSpam, spamWords } from "./mask-text.ts";

/** Sets for each change of one hunk why it is noise, null if it is not. */
export function judgeText(changes: TextChange[], removed: Block[], added: Block[], context: Context): void {
  const { sent, oldStableRoots, newStableRoots } = context;
  const run = runOf(changes, removed, added);
  for (const change of changes) {
    const { before, after } = change;
    const block = after ?? before;
    if (!block || isAttack(change, context)) continue;
    const isPartStable = (after ? newStableRoots : oldStableRoots).has(block.root);
    change.noise = decide(textRules, { before, after, block, isPartStable, sent, run });
  }
}

/** What judging one change needs to know about the whole pages. */
export type Context = {
  /** When the two pages were sent, in milliseconds since 1970, if that is known. */
  sent: [old: number, now: number] | null;
  /** Root nodes of the parts of which something is on both sides. */
  oldStableRoots: Set<number>;
  newStableRoots: Set<number>;
  hadSpam: boolean;
  /** The contacts that the old page named, and the texts around them. */
  contacts: () => { named: Set<string>; rests: Set<string> };
};

export function contextOf(older: Page, newer: Page, standing: StandingBlock[]): Context {
  let contacts: ReturnType<Context["contacts"]> | undefined;
  return {
    oldStableRoots: new Set(standing.map(({ before }) => before.root)),
    newStableRoots: new Set(standing.map(({ after }) => after.root)),
    sent: older.now !== null && newer.now !== null ? [older.now, newer.now] : null,
    contacts: () => (contacts ??= contactsOf(older)),
    hadSpam: older.blocks.some((block) => isSpam(block.text)),
  };
}

/** What is reported wherever it is: another contact in an old sentence, and spam where there was none. */
function isAttack({ after }: TextChange, { hadSpam, contacts }: Context): boolean {
  if (!after) return false;
  if (!hadSpam && spamWords(after.text) >= (after.hidden === "" ? 2 : 1)) return true;
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
