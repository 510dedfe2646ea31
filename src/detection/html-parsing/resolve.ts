/** Resolves an address against a base; returns it unchanged if that fails. */
export const resolve = (href: string, base: string): string =>
  URL.parse(href, base || undefined)?.href ?? href;
