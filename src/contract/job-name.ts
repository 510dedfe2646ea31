import { toPageUrl } from "./page-url.ts";

export const maxJobName = 120;

const cut = (text: string, length: number) => Array.from(text).slice(0, length).join("").trim();

/** The name of a job that has none, until its page's title is known. */
export function nameFromUrl(url: string): string {
  return cut(toPageUrl(url).replace(/^https?:\/\//, "") || url, maxJobName);
}

/** A page's title as a job's name; "" if nothing is left of it. */
export function nameFromTitle(title: string): string {
  const words = title
    .normalize("NFC")
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return cut(words, maxJobName);
}

/** A name that isn't taken: with the suffix, and a number if needed. The name is cut where both are too long. */
export function findFreeName(name: string, isTaken: (name: string) => boolean, suffix = ""): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? suffix : `${suffix} ${number}`;
    const wanted = `${cut(name, maxJobName - Array.from(end).length)}${end}`;
    if (!isTaken(wanted)) return wanted;
  }
}
