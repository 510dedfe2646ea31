// Invisible characters that copying from a page or a chat often brings along.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g;

/**
 * Turns what a user typed, pasted or imported into the URL of a page: white space around it is dropped, and without a
 * scheme it is https. The result isn't checked: `judgeUrl` decides what may be requested.
 */
export function toPageUrl(typed: string): string {
  const text = typed.replace(invisible, "").trim();
  if (text === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  return `https://${text.replace(/^\/\//, "")}`;
}

/** The same page over plain HTTP; null for a URL that isn't https. */
export function toPlainHttp(url: string): string | null {
  return /^https:\/\//i.test(url) ? url.replace(/^https/i, "http") : null;
}
