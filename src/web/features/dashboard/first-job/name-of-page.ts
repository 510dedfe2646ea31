/** Suggests a job's name: the page's host, plus its path if it has one. */
export function nameOfPage(url: string): string {
  if (!URL.canParse(url)) return "My first page";
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, "")}`.slice(0, 120) || "My first page";
}
