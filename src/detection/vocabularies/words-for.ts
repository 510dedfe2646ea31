import { ar } from "./languages/ar.ts";
import { cs } from "./languages/cs.ts";
import { da } from "./languages/da.ts";
import { de } from "./languages/de.ts";
import { el } from "./languages/el.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { et } from "./languages/et.ts";
import { fi } from "./languages/fi.ts";
import { fr } from "./languages/fr.ts";
import { hu } from "./languages/hu.ts";
import { id } from "./languages/id.ts";
import { it } from "./languages/it.ts";
import { ja } from "./languages/ja.ts";
import { ko } from "./languages/ko.ts";
import { nb } from "./languages/nb.ts";
import { nl } from "./languages/nl.ts";
import { pl } from "./languages/pl.ts";
import { pt } from "./languages/pt.ts";
import { ro } from "./languages/ro.ts";
import { ru } from "./languages/ru.ts";
import { sl } from "./languages/sl.ts";
import { sv } from "./languages/sv.ts";
import { tr } from "./languages/tr.ts";
import { uk } from "./languages/uk.ts";
import { vi } from "./languages/vi.ts";
import { zh } from "./languages/zh.ts";
import type { Vocabulary } from "./vocabulary.ts";

const languages: Vocabulary[] = [
  en,
  ar,
  cs,
  da,
  de,
  el,
  es,
  et,
  fi,
  fr,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sl,
  sv,
  tr,
  uk,
  vi,
  zh,
];

/** The words of one kind in all languages, as the alternatives of a regular expression. */
export function wordsFor(kind: keyof Vocabulary): string {
  return languages.flatMap((language) => language[kind] ?? []).join("|");
}
