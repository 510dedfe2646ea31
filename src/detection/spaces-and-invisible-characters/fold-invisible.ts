const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** Removes what readers can't see: soft hyphens, zero-width characters, and differences in how accents are encoded. */
export function foldInvisible(text: string): string {
  return text.replace(invisible, "").normalize("NFC");
}
