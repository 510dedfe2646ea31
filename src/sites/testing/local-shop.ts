import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer };

const page = (title: string, links: string[], more = "") =>
  `<!doctype html><html><head><title>${title}</title>${more}</head><body><header></header><main><h1>${title}</h1>
  ${links.map((link) => `<a href="${link}">${link}</a>`).join("\n")}</main></body></html>`;

/** A site with sections, items and traps, whose pages a test can change. */
export function createShop({ sections = 10, perSection = 10, traps = endlessSpaces } = {}) {
  /** What a test serves in place of the shop's own page, by path. */
  const overrides = new Map<string, Answer | ((request: IncomingMessage) => Answer)>();
  const requests: { path: string; host: string; agent: string; isConditional: boolean }[] = [];
  const sectionLinks = Array.from({ length: sections }, (_, n) => `/section-${n}/`);
  const items = (section: number) =>
    Array.from({ length: perSection }, (_, n) => `/section-${section}/item/${section * perSection + n}`);

  /** Pages that links lead to and that are no trap. */
  const reachable = ["/", "/about", ...sectionLinks, ...sectionLinks.flatMap((_, n) => items(n))];

  function answer(path: string, query: URLSearchParams): Answer {
    if (path === "/") return html(page("Shop", ["/about", ...sectionLinks, ...traps]));
    if (path === "/about")
      return html(page("About us", ["/", "/about#team", "/about?utm_source=x", "/about/"]));
    const section = /^\/section-(\d+)\/$/.exec(path)?.[1];
    if (section && Number(section) < sections)
      return html(page(`Section ${section}`, ["/", ...items(Number(section))]));
    const item = /^\/section-(\d+)\/item\/(\d+)$/.exec(path);
    if (item && items(Number(item[1])).includes(path))
      return html(page(`Item ${item[2]}`, ["/", `/section-${item[1]}/`, `${path}?ref_src=mail`]));
    return answerTrap(path, query) ?? { status: 404, headers: htmlType, body: page("Not found", []) };
  }
  return {
    overrides,
    requests,
    reachable,
    /** Delays the answers that a test wants to come late. */
    hold: undefined as ((path: string) => Promise<void>) | undefined,
    async listen(request: IncomingMessage, response: ServerResponse) {
      const url = new URL(request.url ?? "/", "http://shop.test");
      const { headers } = request;
      const path = url.pathname + url.search;
      requests.push({
        path,
        host: headers.host ?? "",
        agent: headers["user-agent"] ?? "",
        isConditional: headers["if-none-match"] !== undefined,
      });
      await this.hold?.(path);
      const override = overrides.get(path);
      const found =
        typeof override === "function"
          ? override(request)
          : (override ?? answer(url.pathname, url.searchParams));
      response.writeHead(found.status ?? 200, found.headers ?? htmlType);
      response.end(request.method === "HEAD" ? undefined : found.body);
    },
  };
}

const htmlType = { "content-type": "text/html; charset=utf-8" };
const html = (body: string): Answer => ({ headers: htmlType, body });

/** Where spaces without an end begin. */
const endlessSpaces = [
  "/calendar/2026/1",
  "/list?color=c0&size=s0&sort=o0",
  "/visit?token=0",
  "/loop/a/b/",
  "/labyrinth/0",
  "http://elsewhere.test/",
  "//other.test/x",
  "/private/secret",
];

function answerTrap(path: string, query: URLSearchParams): Answer | null {
  const [, year, month] = /^\/calendar\/(\d+)\/(\d+)$/.exec(path) ?? [];
  if (year && month) {
    const next = Number(month) === 12 ? `${Number(year) + 1}/1` : `${year}/${Number(month) + 1}`;
    return html(page(`Calendar ${month}/${year}`, [`/calendar/${next}`, "/"]));
  }
  if (path === "/list") {
    const keys = ["color", "size", "sort", "brand", "view"];
    const links = keys.flatMap((key) =>
      Array.from({ length: 5 }, (_, n) => {
        const changed = new URLSearchParams(query);
        changed.set(key, `${key[0]}${n}`);
        return `/list?${changed}`.replaceAll("&", "&amp;");
      }),
    );
    return html(page(`List ${query}`.replaceAll("&", " "), links));
  }
  if (path === "/visit")
    return html(
      page("Visit us", [`/visit?token=${Number(query.get("token")) + 1}`]).replace(/<a .*<\/a>/, (link) =>
        link.replace(/>[^<]*</, ">Again<"),
      ),
    );
  if (path.startsWith("/loop/")) return html(page(`Loop ${path}`, ["a/b/"]));
  const step = /^\/labyrinth\/(\d+)$/.exec(path)?.[1];
  if (step) return { status: 302, headers: { location: `/labyrinth/${Number(step) + 1}` }, body: "" };
  return null;
}

/** A sitemap of these addresses, as a gzip file if wanted. */
export function sitemapOf(addresses: string[], isPacked = false): Answer {
  const text = `<?xml version="1.0"?><urlset>${addresses.map((loc) => `<url><loc>${loc}</loc></url>`).join("")}</urlset>`;
  return isPacked
    ? { headers: { "content-type": "application/gzip" }, body: gzipSync(text) }
    : { headers: { "content-type": "application/xml" }, body: text };
}
