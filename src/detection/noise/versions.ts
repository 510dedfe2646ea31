import { wordsFor } from "../vocabularies/words-for.ts";

// Three parts or more, unless they are groups of thousands, an IP address or a date: 10.9.0, but not 1.234.567.
const day = "(?:0?[1-9]|[12]\\d|3[01])";
const month = "(?:0?[1-9]|1[0-2])";
const others = [
  "\\d{1,3}(?:\\.\\d{3})+",
  "(?:\\d{1,3}\\.){3}\\d{1,3}",
  `${day}\\.${month}\\.(?:(?:19|20)\\d\\d|[23]\\d)`,
  `(?:19|20)\\d\\d\\.${month}\\.${day}`,
];
const parts = `(?<![\\d.,:])(?!(?:${others.join("|")})(?![\\d.]))\\d+(?:\\.\\d+){2,}(?![\\d.])`;
const named = `(?<![\\p{L}\\d])(?:v|${wordsFor("versions")})[\\s.:#]{0,3}v?\\d+(?:\\.\\d+)*`;
const version = new RegExp(`(${named}|${parts})`, "giu");

// Two parts name a version after a name and before nothing else: Lumen 5.1, but neither "Rating: 4.5" nor "Berlin 21.5 °C".
const release = /((?<![\p{L}\d])\p{Lu}[\p{L}\d+#]*\s\d{1,3}\.\d{1,2}(?![\d.,:%°]|\s?[\p{L}\p{Sc}%°/(]))/u;

/** Applies a mask to everything but versions: what they name is decided by somebody and counts nothing. */
export function maskExceptVersions(text: string, mask: (text: string) => string): string {
  return exceptAt(text, version, (rest) => exceptAt(rest, release, mask));
}

function exceptAt(text: string, pattern: RegExp, mask: (text: string) => string): string {
  return text
    .split(pattern)
    .map((piece, at) => (at % 2 === 1 ? piece : mask(piece)))
    .join("");
}
