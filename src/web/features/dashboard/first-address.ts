/** What people type as an address, as one: without a scheme it is taken for https. */
export function addressOf(typed: string): string {
  const text = typed.trim();
  return text === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

/** A first name for a page: its host, and its path where it has one. */
export function nameOf(url: string): string {
  if (!URL.canParse(url)) return "My first page";
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`.slice(0, 120) || "My first page";
}
