const uuid = /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi;
const hex = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/gi;
const longNumber = /\b\d{9,}\b/g;

/** Whether a word looks generated at random: letters and digits mixed as in no language. */
export function looksRandom(word: string): boolean {
  if (word.length < 8) return false;
  if (/^[0-9a-f-]{16,}$/i.test(word)) return /\d/.test(word);
  if (!/^[\w+/=.~-]+$/.test(word)) return false;
  let switches = 0;
  let previous = "";
  for (const char of word) {
    const kind =
      char >= "0" && char <= "9"
        ? "d"
        : char >= "A" && char <= "Z"
          ? "U"
          : char >= "a" && char <= "z"
            ? "l"
            : "-";
    if (kind !== "-" && previous !== "" && kind !== previous && !(previous === "U" && kind === "l"))
      switches++;
    if (kind !== "-") previous = kind;
  }
  return switches >= 3 && switches / word.length > 0.15;
}

/** Replaces identifiers inside a longer text by a mark. */
export function maskTokens(text: string): string {
  return text
    .replace(uuid, "⟨id⟩")
    .replace(hex, "⟨id⟩")
    .replace(longNumber, "⟨id⟩")
    .replace(/[\w+/=-]{16,}/g, (word) => (looksRandom(word) ? "⟨id⟩" : word));
}
