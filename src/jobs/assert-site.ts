import { getDomain } from "tldts";
import { AppError } from "#contract/errors.ts";
import { toPageUrl } from "#contract/page-url.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { matchesPattern, patternPath } from "#detection/site-pages/address-pattern.ts";

/** Refuses limits of a site that leave out its start, or that include the sites of strangers. */
export function assertSite(url: string, site: SiteSettings): void {
  const start = URL.parse(toPageUrl(url));
  // The target is judged elsewhere.
  if (!start) return;
  const refuse = (field: string, message: string) => {
    throw new AppError("INVALID_INPUT", message, { field: `site.${field}` });
  };
  const path = patternPath(start.href);
  const { paths, exclude, subdomains } = site;
  const isIp = /^[\d.]+$|^\[/.test(start.hostname);
  if (subdomains && !isIp && getDomain(start.hostname, { allowPrivateDomains: true }) === null)
    refuse(
      "subdomains",
      `The subdomains of ${start.hostname} belong to many owners: enter the host of one site.`,
    );
  if (paths.length > 0 && !paths.some((pattern) => matchesPattern(pattern, path)))
    refuse("paths", "The start address is outside these paths.");
  if (exclude.some((pattern) => matchesPattern(pattern, path)))
    refuse("exclude", "These paths leave out the start address itself.");
}
