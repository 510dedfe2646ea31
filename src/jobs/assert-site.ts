import { AppError } from "#contract/errors.ts";
import { type ChosenIdentity, isIdentity } from "#contract/identity.ts";
import { toPageUrl } from "#contract/page-url.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { matchesPattern, patternPath } from "#detection/site-pages/address-pattern.ts";
import { hasOneOwner } from "#detection/site-pages/has-one-owner.ts";
import { maxAddress } from "#detection/site-pages/page-address.ts";

/** Refuses an identity for the crawl of a whole site, which asks for pages without a session. */
export function assertNoIdentity(identity: ChosenIdentity | null | undefined): void {
  if (isIdentity(identity))
    throw new AppError(
      "INVALID_INPUT",
      "A whole site can’t be crawled as an identity. Choose none, or watch single pages.",
      { field: "identity" },
    );
}

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
  if (start.href.length > maxAddress)
    throw new AppError(
      "INVALID_INPUT",
      `The start address of a site has at most ${maxAddress.toLocaleString("en")} characters.`,
      { field: "url" },
    );
  if (subdomains && !hasOneOwner(start.hostname))
    refuse(
      "subdomains",
      `The subdomains of ${start.hostname} belong to many owners: enter the host of one site.`,
    );
  if (paths.length > 0 && !paths.some((pattern) => matchesPattern(pattern, path)))
    refuse("paths", "The start address is outside these paths.");
  if (exclude.some((pattern) => matchesPattern(pattern, path)))
    refuse("exclude", "These paths leave out the start address itself.");
}
