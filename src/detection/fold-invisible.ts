const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** Text without what no reader can see: soft hyphens, zero-width characters, and which way an accent is written. */
export function foldInvisible(text: string): string {
  return text.replace(invisible, "").normalize("NFC");
}
