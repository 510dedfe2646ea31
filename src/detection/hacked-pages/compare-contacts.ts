import { quoteStart } from "../change-summaries/quote.ts";
import type { StructureContext } from "../html-comparison/structure-change.ts";
import type { Block } from "../html-parsing/page.ts";
import { isSpam, spamWords } from "../noise/mask-text.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { contactsIn } from "./contacts.ts";

/** Finds text that an attacker gains by: another contact or account in an old sentence, spam where there was none. */
export function compareContacts({ older, newer, found }: StructureContext): void {
  const [removed, added] = [missingFrom(older.blocks, newer.blocks), missingFrom(newer.blocks, older.blocks)];
  if (added.length === 0) return;
  const report = (block: Block, severity: Severity, before: string | null, summary: string) => {
    const { area: where, place, text } = block;
    found.changes.push({ kind: "contact", severity, summary, where, place, before, after: text });
  };
  const sentences = new Map<string, { text: string; named: string[] }>();
  for (const { text } of removed) {
    const { named, rest } = contactsIn(text);
    if (named.length > 0) sentences.set(rest, { text, named });
  }
  const isSpammed = older.blocks.some(({ text }) => isSpam(text));
  for (const block of added) {
    const { named, rest } = contactsIn(block.text);
    const old = named.length === 0 ? undefined : sentences.get(rest);
    const newContact = named.find((contact) => !old?.named.includes(contact));
    if (old && newContact !== undefined)
      report(block, severityOf.contactChanged, old.text, `Contact is now ${newContact.slice(0, 80)}`);
    else if (!isSpammed && spamWords(block.text) >= (block.hidden === "" ? 2 : 1)) {
      const name = block.hidden === "" ? "Spam" : "Hidden spam";
      report(block, severityOf.spamAdded, null, `${name}: ${quoteStart(block.text, 80)}`);
    }
  }
}

function missingFrom(blocks: Block[], others: Block[]): Block[] {
  const known = new Set(others.map(({ text }) => text));
  return blocks.filter(({ text }) => !known.has(text));
}
