const locale = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;

/**
 * Describes how two addresses differ if only their language or country does: "/en → /de"; null if more differs.
 * Sites put the locale first in the path or in front of the host.
 */
export function localeSwap(before: string, after: string): string | null {
  const [old, now] = [split(before), split(after)];
  if (old.rest !== now.rest || (old.locale === now.locale && old.host === now.host)) return null;
  if (old.host === now.host) return `/${old.locale} → /${now.locale}`;
  return old.locale === now.locale && isLocaleSwap(old.host, now.host) ? `${old.host} → ${now.host}` : null;
}

function split(address: string): { host: string; locale: string; rest: string } {
  const [, host = "", path = ""] = /^(?:\/\/([^/?#]*))?([^]*)$/.exec(address) ?? [];
  const [, first = "", ...others] = path.split("/");
  return locale.test(first)
    ? { host, locale: first, rest: ["", ...others].join("/") }
    : { host, locale: "", rest: path };
}

function isLocaleSwap(before: string, after: string): boolean {
  const [old = "", ...oldRest] = before.split(".");
  const [now = "", ...nowRest] = after.split(".");
  return locale.test(old) && locale.test(now) && oldRest.join(".") === nowRest.join(".");
}
