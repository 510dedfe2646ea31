import { extractPage } from "#detection/html-parsing/extract-page.ts";
import type { Link, Page } from "#detection/html-parsing/page.ts";
import type { Random } from "./random.ts";

/** `prepare`: the target that the link gets on both sides first. */
type Edit = { fits: (link: Link) => boolean; prepare?: () => string; write: (href: string) => string };

const isMail = ({ href }: Link) => /^mailto:[^?]*@/i.test(href);
const isPath = ({ href, hidden }: Link) =>
  hidden === "" && /^(?:https?:)?\/(?:\/[^/?#]+)?\/?[^?#]{4,}/i.test(href);
const beforeQuery = (href: string, write: (path: string) => string) =>
  href.replace(/^[^?#]+/, (path) => write(path));

/** Changes of where one link leads, with its words left as they are; each is one that somebody made by hand. */
export const linkEdits: Record<string, Edit> = {
  "mail: another person": {
    fits: isMail,
    write: (href) => href.replace(/mailto:[^@?]+/i, "mailto:j.zubrowka"),
  },
  "mail: another domain": { fits: isMail, write: (href) => href.replace(/@[^?]+/, "@zubrowka.example") },
  "mail: one letter": { fits: isMail, write: (href) => href.replace(/@(\w)/, "@x$1") },
  "telephone: one digit": {
    fits: ({ href }) => /^tel:.*\d/i.test(href),
    write: (href) => href.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
  },
  "path: another page": {
    fits: isPath,
    write: (href) => beforeQuery(href, (path) => path.replace(/[^/]+\/?$/, "zubrowka")),
  },
  "path: one letter": {
    fits: isPath,
    write: (href) => beforeQuery(href, (path) => path.replace(/([a-z])([a-z]*\/?)$/i, "$1x$2")),
  },
  "path: a number": {
    fits: ({ href, hidden }) =>
      hidden === "" && /^[^?#]*\/[^/?#]*\d{1,4}\D*$/.test(href) && !href.startsWith("tel"),
    write: (href) => href.replace(/\d{1,4}(?=\D*$)/, (digits) => String(Number(digits) + 1)),
  },
  "query: a value": {
    fits: ({ href, hidden }) => hidden === "" && /[?&](?:id|p|page|cat|product|lang)=\w+$/.test(href),
    write: (href) => href.replace(/=\w+$/, "=zubrowka"),
  },
  "query: a video": {
    fits: ({ href, hidden }) => hidden === "" && /^https?:/i.test(href),
    prepare: () => "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    write: (href) => href.replace(/=.*/, "=M7lc1UVf-VE"),
  },
  "path: a document on another site": {
    fits: ({ href, hidden }) => hidden === "" && /^https?:/i.test(href),
    prepare: () => "https://docs.google.com/document/d/1aB2cD3eF4gH5iJ6kL7mN8/edit",
    write: (href) => href.replace(/1aB2/, "9zY8"),
  },
  "host: another": {
    fits: ({ href, hidden }) => hidden === "" && /^https?:\/\/[^/]+/i.test(href),
    write: (href) => href.replace(/\/\/[^/]+/, "//zubrowka.example"),
  },
};

/** A page before and after one of its links leads elsewhere; null if it has no link that fits. */
export function editLink(
  html: string,
  url: string,
  { fits, prepare, write }: Edit,
  random: Random,
): { before: string; html: string; piece: string } | null {
  const page = extractPage(html, url);
  const candidates = page.links.flatMap((link) => {
    const at = hrefAt(page, html, link);
    const old = prepare?.() ?? link.href;
    return at !== null && fits(link) && write(old) !== old ? [{ link, at, old }] : [];
  });
  if (candidates.length === 0) return null;
  const { link, at, old } = random.pick(candidates);
  const withTarget = (href: string) => html.slice(0, at) + href + html.slice(at + link.href.length);
  return {
    before: withTarget(old),
    html: withTarget(write(old)),
    piece: `${link.area || "content"} ${link.zone} ${link.hidden} “${link.text}” ${old} → ${write(old)}`,
  };
}

/** Where a link's target is in the source; null if it is written with entities or not there. */
function hrefAt({ nodes }: Page, html: string, { node, href }: Link): number | null {
  const { start = 0, inside = 0 } = nodes[node] ?? {};
  const tag = html.slice(start, inside);
  const at = [...tag.matchAll(/\shref\s*=\s*["']?\s*/gi)].map((match) => match.index + match[0].length);
  const [found] = at.filter((index) => tag.startsWith(href, index));
  return found === undefined ? null : start + found;
}
