import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { it } from "./languages/it.ts";
import { otherLanguages } from "./languages/other-languages.ts";
import type { Vocabulary } from "./vocabulary.ts";

const languages: Vocabulary[] = [en, de, es, fr, it, ...Object.values(otherLanguages)];

/** The words of one kind in all languages, as the alternatives of a regular expression. */
export function wordsFor(kind: keyof Vocabulary): string {
  return languages.flatMap((language) => language[kind] ?? []).join("|");
}
