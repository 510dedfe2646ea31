import { hash } from "../noise-memory/hash.ts";

export const maxAddress = 2048;
/** PostgreSQL indexes values of at most 2,704 bytes, and marks may make a shape longer than its address. */
const maxFamily = 1000;
/** Parameters that say where a visitor came from or who they are, never what the page shows. */
const meaninglessParameters =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|hsa_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|ref_src|phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid|zenid|cfid|cftoken)$/i;
const sessionInPath = /;(?:jsessionid|phpsessid|sid)=[^/;?]*/gi;
const indexFile = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i;

/**
 * The address of a page that a link leads to, without its fragment and without parameters that only follow visitors.
 * Null if it isn't the address of a web page.
 */
export function toPageAddress(href: string, base?: string): string | null {
  if (href.length > 2 * maxAddress) return null;
  const url = URL.parse(href.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  url.pathname = url.pathname.replace(sessionInPath, "");
  const parameters = splitQuery(url.search);
  const kept = parameters.filter((text) => !meaninglessParameters.test(nameOf(text)));
  if (kept.length < parameters.length) url.search = kept.join("&");
  return url.href.length <= maxAddress ? url.href : null;
}

/**
 * What two addresses of one page have in common: neither the scheme, "www.", a final slash, the name of an index file,
 * the order of parameters nor the way in which letters are encoded makes another page.
 */
export function identityOf(address: string): string {
  const { host, pathname, search } = new URL(address);
  const path = decodeLetters(pathname)
    .replace(indexFile, "/")
    .replace(/(?<!\/)\/+$/, "");
  const query = splitQuery(search).map(decodeLetters).sort().join("&");
  return `${host.replace(/^www\./, "")}${path}${query === "" ? "" : `?${query}`}`;
}

/** "%7e" and "~" are the same; what is encoded for a reason stays encoded, in capitals. */
function decodeLetters(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
  });
}

const splitQuery = (search: string) =>
  search
    .replace(/^\?/, "")
    .split("&")
    .filter((text) => text !== "");
const nameOf = (parameter: string) => parameter.split("=", 1)[0] ?? "";

/** The names of an address's parameters, each once, in order. */
export function parameterNames(address: string): string[] {
  return [...new Set(splitQuery(new URL(address).search).map(nameOf))].sort();
}

/** The path with a mark in place of numbers, dates and identifiers: "/shop/item-{n}". */
function pathShape(address: string): string {
  return new URL(address).pathname
    .split("/")
    .map((segment) =>
      /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(segment) || isToken(segment)
        ? "{id}"
        : segment.replace(/\d{4}-\d{2}(?:-\d{2})?/g, "{date}").replace(/\d+/g, "{n}"),
    )
    .join("/");
}

/** The path, with marks in place of what differs, and the names of the parameters. */
export function templateOf(address: string): string {
  const names = parameterNames(address);
  return `${pathShape(address)}${names.length > 0 ? `?${names.join("&")}` : ""}`;
}

/** The template of all pages of a folder, whatever their names. */
export const folderTemplate = (template: string) =>
  template.includes("?") ? template : `${template.replace(/(?<![^/])[^/]+\/?$/, "")}{…}`;

/** Letters and digits mixed as in no word. */
const isToken = (segment: string) =>
  /^[\w-]{8,}$/.test(segment) && !segment.includes("-") && (segment.match(/\d/g)?.length ?? 0) >= 3;

/**
 * The family of an address: the addresses of one host and path that differ in numbers or parameters, of which there can
 * be endlessly many. Null for an address that has neither.
 */
export function familyOf(address: string): string | null {
  const { host, search } = new URL(address);
  const shape = pathShape(address);
  if (search === "" && !shape.includes("{")) return null;
  const family = `${host}${shape}${search === "" ? "" : "?"}`;
  return family.length <= maxFamily ? family : `${family.slice(0, maxFamily)}…${hash(family)}`;
}

/** Whether the path goes round in circles, or is longer or has more parameters than any page needs. */
export function isCircular(address: string): boolean {
  const segments = new URL(address).pathname.split("/").filter((segment) => segment !== "");
  if (segments.length > 20 || parameterNames(address).length > 12) return true;
  for (let size = 1; size * 3 <= segments.length; size++)
    for (let at = 0; at + size * 3 <= segments.length; at++) {
      const [first, second, third] = [0, 1, 2].map((part) =>
        segments.slice(at + part * size, at + (part + 1) * size).join("/"),
      );
      if (first === second && second === third) return true;
    }
  return false;
}

const calendarName = /^(?:cal|calendar|date|day|month|week|year|y|m|d|from|to|start|end|tribe-bar-date)$/i;

/** Whether the addresses of a family look like the days or months of a calendar. */
export function isCalendar(address: string): boolean {
  return (
    pathShape(address).includes("{date}") ||
    /\/(?:calendar|kalender|calendrier|agenda|events?|archive)\//i.test(`${new URL(address).pathname}/`) ||
    parameterNames(address).some((name) => calendarName.test(name))
  );
}
