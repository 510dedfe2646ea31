import type { Block } from "../html-parsing/page.ts";
import { isConsentButton } from "../noise/mask-text.ts";
import { wordsFor } from "../vocabularies/words-for.ts";

const aboutConsent = new RegExp(wordsFor("consentTopics"), "iu");
const MAX_BLOCKS = 80;

/** The blocks of a consent dialog whose markup doesn't say that it is one: from its text to its buttons. */
export function findConsentRun(blocks: Block[]): Block[] {
  if (blocks.length < 2 || blocks.length > MAX_BLOCKS || blocks.some((block) => block.area === "main"))
    return [];
  const isButton = blocks.map(({ text }) => isConsentButton(text));
  const isAboutConsent = blocks.map(({ text }) => aboutConsent.test(text));
  if (!isButton.includes(true) || !isAboutConsent.includes(true)) return [];
  const first = Math.min(isButton.indexOf(true), isAboutConsent.indexOf(true));
  const last = Math.max(isButton.lastIndexOf(true), isAboutConsent.lastIndexOf(true));
  // The heading comes before the first mention of cookies.
  return blocks.slice(Math.max(0, first - 1), last + 1);
}
