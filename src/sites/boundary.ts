import type { SiteSettings } from "#contract/site-settings.ts";
import type { ScopeTarget } from "#detection/bug-bounty-scope/list-targets.ts";
import { matchesPattern, patternPath } from "#detection/site-pages/address-pattern.ts";

/** What belongs to a site, and what of it is requested. */
export type Boundary = {
  /** Whether the address is on one of the site's hosts, whatever its path. */
  hasHost: (address: string) => boolean;
  /** Whether the address may be requested as a page. */
  includes: (address: string) => boolean;
};

const withoutWww = (host: string) => host.replace(/^www\./, "").replace(/\.$/, "");

/** The host of the start address and those of a scope list, within the limits of the site. */
export function createBoundary(
  start: string,
  { subdomains, paths, exclude }: Pick<SiteSettings, "subdomains" | "paths" | "exclude">,
  scope: readonly ScopeTarget[] = [],
): Boundary {
  const { hostname, port } = new URL(start);
  const own = { host: withoutWww(hostname), subdomains };
  const targets = [own, ...scope.map((target) => ({ ...target, host: withoutWww(target.host) }))];
  const hosts = new Set(targets.map(({ host }) => host));
  const parents = targets.filter((target) => target.subdomains).map(({ host }) => `.${host}`);
  const hasHost = (address: string) => {
    const url = new URL(address);
    const host = withoutWww(url.hostname);
    return url.port === port && (hosts.has(host) || parents.some((parent) => host.endsWith(parent)));
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
