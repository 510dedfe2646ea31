/** Resolves an address against a base; returns it unchanged if that fails. */
export function resolve(href: string, base: string): string {
  try {
    return new URL(href, base || undefined).href;
  } catch {
    return href;
  }
}
