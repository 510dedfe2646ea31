// The small words that a language cannot do without, and few others have.
const small: Record<string, string> = {
  en: "the and of to for with your you our is are all about more from this",
  de: "der die das und für mit sie ihr wir ist von zu auf nicht unsere alle mehr über dem den",
  fr: "le les et des pour avec vous votre nous est du dans sur une plus tous aux",
  es: "el los las y para con su sus es del una más todos por nuestros",
  it: "il gli di per con tuo noi è del nel una più tutti della dei",
  nl: "het een en voor met uw je wij van op niet alle meer over onze",
  pt: "os as para com seu sua é do da em uma mais todos nossos dos",
  pl: "i w z na do dla się jest oraz nie o twoje",
  sv: "och för med din är av till inte alla mer om våra ett",
  da: "og for med din er af til ikke alle mere om vores et",
  fi: "ja on ei se tai sekä kaikki meidän mukaan",
  cs: "a v na pro se je nebo vše naše jak o",
  hu: "a az és egy hogy nem is vagy minden",
  tr: "ve bir için ile bu tüm daha hakkında",
};
const scripts: Record<string, RegExp> = {
  cyrillic: /\p{Script=Cyrillic}/gu,
  greek: /\p{Script=Greek}/gu,
  arabic: /\p{Script=Arabic}/gu,
  hebrew: /\p{Script=Hebrew}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}/gu,
  han: /\p{Script=Han}/gu,
};
const wordsOf = new Map(Object.entries(small).map(([name, words]) => [name, new Set(words.split(" "))]));

/** The language of a few lines; null where they say too little. */
export function languageOf(text: string): string | null {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [name, pattern] of Object.entries(scripts)) {
    if ((text.match(pattern)?.length ?? 0) > letters / 3) return name;
  }
  const hits = [...wordsOf].map(([name, words]): [string, number] => [name, countIn(text, words)]);
  const [first, second] = hits.sort((a, b) => b[1] - a[1]);
  return first && first[1] >= 3 && first[1] >= 2 * (second?.[1] ?? 0) ? first[0] : null;
}

function countIn(text: string, words: Set<string>): number {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => words.has(word)).length;
}
