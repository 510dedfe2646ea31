/** What a sitemap, a sitemap index or a feed lists. */
export type SiteList = {
  kind: "sitemaps" | "pages";
  addresses: string[];
  /** There are more addresses than a sitemap may have. */
  isCut: boolean;
  /** Why nothing of it could be read, to follow its address; null if it could. */
  problem: string | null;
};

const maxAddresses = 50_000;
// Entities of a document's own aren't expanded, and nothing is nested, so that the time is linear in the text.
const location = /<(?:[a-z]{1,10}:)?loc\s*>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,4096})/gi;
const feedLink = /<link\b([^<>]{0,1000})>(?:\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,4096}))?/gi;
const hrefOf = /\bhref\s*=\s*["']([^"']{1,4096})["']/i;

export function readSiteList(text: string): SiteList {
  const root = /<(?:[a-z]{1,10}:)?(sitemapindex|urlset|rss|feed|rdf)\b/i.exec(text.slice(0, 4096))?.[1];
  const found = root === undefined ? linesOf(text) : isFeed(root) ? feedLinks(text) : locations(text);
  const addresses = new Set<string>();
  let isCut = false;
  for (const address of found) {
    isCut = addresses.size === maxAddresses;
    if (isCut) break;
    addresses.add(decodeEntities(address));
  }
  return {
    kind: root?.toLowerCase() === "sitemapindex" ? "sitemaps" : "pages",
    addresses: [...addresses],
    isCut,
    problem: null,
  };
}

const isFeed = (root: string) => /^(?:rss|feed|rdf)$/i.test(root);

function* locations(text: string): Generator<string> {
  for (const match of text.matchAll(location)) yield match[1] ?? "";
}

function* feedLinks(text: string): Generator<string> {
  for (const [, attributes = "", content] of text.matchAll(feedLink)) {
    const href = hrefOf.exec(attributes)?.[1];
    if (href && !/\brel\s*=\s*["'](?!alternate)/i.test(attributes)) yield href;
    else if (content) yield content;
  }
}

function* linesOf(text: string): Generator<string> {
  for (const line of text.split("\n")) {
    const address = line.trim();
    if (/^https?:\/\/\S{1,4096}$/i.test(address)) yield address;
  }
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? String(all);
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}
