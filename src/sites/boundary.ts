import type { SiteSettings } from "#contract/site-settings.ts";
import { matchesPattern, patternPath } from "#detection/site-pages/address-pattern.ts";

/** What belongs to a site, and what of it is requested. */
export type Boundary = {
  /** Whether the address is on one of the site's hosts, whatever its path. */
  hasHost(address: string): boolean;
  /** Whether the address may be requested as a page. */
  includes(address: string): boolean;
};

const withoutWww = (host: string) => host.replace(/^www\./, "").replace(/\.$/, "");

export function createBoundary(
  start: string,
  { subdomains, paths, exclude }: Pick<SiteSettings, "subdomains" | "paths" | "exclude">,
): Boundary {
  const { hostname, port } = new URL(start);
  const own = withoutWww(hostname);
  const hasHost = (address: string) => {
    const url = new URL(address);
    const host = withoutWww(url.hostname);
    return url.port === port && (host === own || (subdomains && host.endsWith(`.${own}`)));
  };
  return {
    hasHost,
    includes(address) {
      if (!hasHost(address)) return false;
      const path = patternPath(address);
      const isWanted = paths.length === 0 || paths.some((pattern) => matchesPattern(pattern, path));
      return isWanted && !exclude.some((pattern) => matchesPattern(pattern, path));
    },
  };
}
