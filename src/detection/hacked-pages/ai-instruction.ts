import { foldInvisible } from "../spaces-and-invisible-characters/fold-invisible.ts";
import { wordsFor } from "../vocabularies/words-for.ts";

// Marks that chat models read as the start of somebody's turn. No page shows them to people for another reason than to
// explain them.
const turnMarks = [
  String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|eot_id)\|>`,
  String.raw`\[/?INST\]`,
  "<<SYS>>",
  String.raw`#{2,4} ?(?:system|instruction)s?:`,
];
const addressed = new RegExp([...turnMarks, wordsFor("aiInstructions")].join("|"), "iu");

/** Letters that no browser draws: a plain ASCII text moved into Unicode's block of tags. */
const tagLetters = /[\u{E0020}-\u{E007E}]+/gu;
const tagBlock = 0xe0000;

/** What exceeds it isn't read. */
export const maxReadLength = 20_000;

/** Returns the sentence that addresses a language model; null if none does. */
export function findAiInstruction(text: string): string | null {
  const start = text.slice(0, maxReadLength);
  const readable = foldInvisible(decodeTagLetters(start).normalize("NFKC")).replace(/\s+/g, " ").trim();
  const match = addressed.exec(readable);
  if (!match) return null;
  const before = readable.slice(Math.max(0, match.index - MAX_AROUND), match.index);
  const after = readable.slice(match.index + match[0].length).slice(0, MAX_AROUND);
  const opening = before.replace(/^.*(?:[.!?] |[。！？])/su, "");
  const [closing = ""] = /^[^.!?。！？]*[.!?。！？]?/u.exec(after) ?? [];
  return `${opening}${match[0]}${closing}`.trim();
}

const MAX_AROUND = 160;

/** The flags of England, Scotland and Wales have such letters too, after a flag: fewer than six. */
function decodeTagLetters(text: string): string {
  return text.replace(tagLetters, (letters) => {
    const decoded = Array.from(letters, (letter) => String.fromCharCode(letter.codePointAt(0)! - tagBlock));
    return decoded.length < 6 ? letters : ` ${decoded.join("")} `;
  });
}
