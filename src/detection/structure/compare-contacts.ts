import { contactsIn } from "../noise/contacts.ts";
import { isSpam, spamWords } from "../noise/mask-text.ts";
import type { Block, Page } from "../page.ts";
import type { StructureComparison } from "./structure-change.ts";

/** Finds words that someone gains by: another's contact or account in an old sentence, spam where there was none. */
export function compareContacts(older: Page, newer: Page, { changes }: StructureComparison): void {
  const [gone, come] = [without(older.blocks, newer.blocks), without(newer.blocks, older.blocks)];
  if (come.length === 0) return;
  const tell = ({ area: where, place, text }: Block, before: string | null, summary: string) =>
    changes.push({ kind: "contact", severity: "important", summary, where, place, before, after: text });
  const sentences = new Map<string, { text: string; named: string[] }>();
  for (const { text } of gone) {
    const { named, rest } = contactsIn(text);
    if (named.length > 0) sentences.set(rest, { text, named });
  }
  const isSpammed = older.blocks.some(({ text }) => isSpam(text));
  for (const block of come) {
    const { named, rest } = contactsIn(block.text);
    const old = named.length === 0 ? undefined : sentences.get(rest);
    const other = named.find((contact) => !old?.named.includes(contact));
    if (old && other !== undefined) tell(block, old.text, `Contact is now ${other.slice(0, 80)}`);
    else if (!isSpammed && spamWords(block.text) >= (block.hidden === "" ? 2 : 1))
      tell(block, null, `${block.hidden === "" ? "Spam" : "Hidden spam"}: “${block.text.slice(0, 80)}”`);
  }
}

function without(blocks: Block[], others: Block[]): Block[] {
  const known = new Set(others.map(({ text }) => text));
  return blocks.filter(({ text }) => !known.has(text));
}
