const locale = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;

/**
 * How one address becomes another when only the language or country in it differs: "/en → /de"; null when more
 * differs. Sites put it first in the path or in front of the host.
 */
export function localeSwap(before: string, after: string): string | null {
  const [old, now] = [split(before), split(after)];
  if (old.rest !== now.rest || (old.locale === now.locale && old.host === now.host)) return null;
  if (old.host === now.host) return `/${old.locale} → /${now.locale}`;
  return old.locale === now.locale && isSister(old.host, now.host) ? `${old.host} → ${now.host}` : null;
}

function split(address: string): { host: string; locale: string; rest: string } {
  const [, host = "", path = ""] = /^(?:\/\/([^/?#]*))?([^]*)$/.exec(address) ?? [];
  const [, first = "", ...others] = path.split("/");
  return locale.test(first)
    ? { host, locale: first, rest: ["", ...others].join("/") }
    : { host, locale: "", rest: path };
}

function isSister(before: string, after: string): boolean {
  const [old = "", ...oldRest] = before.split(".");
  const [now = "", ...nowRest] = after.split(".");
  return locale.test(old) && locale.test(now) && oldRest.join(".") === nowRest.join(".");
}
