/** White space as a reader sees it: runs become one, invisible characters go. */
export function foldSpace(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
