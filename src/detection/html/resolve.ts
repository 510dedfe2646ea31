/** An address against a base; what cannot be resolved stays as written. */
export function resolve(href: string, base: string): string {
  try {
    return new URL(href, base || undefined).href;
  } catch {
    return href;
  }
}
