import type { SiteSettings } from "#contract/site-settings.ts";
import type { ScopeTarget } from "#detection/bug-bounty-scope/list-targets.ts";
import { matchesPattern } from "#detection/site-pages/address-pattern.ts";
import { hasOneOwner } from "#detection/site-pages/has-one-owner.ts";

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
  const parents = targets
    .filter((target) => target.subdomains && hasOneOwner(target.host))
    .map(({ host }) => `.${host}`);
  const hasHostOf = (url: URL) => {
    const host = withoutWww(url.hostname);
    return url.port === port && (hosts.has(host) || parents.some((parent) => host.endsWith(parent)));
  };
  return {
    hasHost: (address) => hasHostOf(new URL(address)),
    includes(address) {
      const url = new URL(address);
      if (!hasHostOf(url)) return false;
      const path = url.pathname + url.search;
      const isWanted = paths.length === 0 || paths.some((pattern) => matchesPattern(pattern, path));
      return isWanted && !exclude.some((pattern) => matchesPattern(pattern, path));
    },
  };
}

/** Targets of a scope list whose subdomains belong to many owners, of which none is part of the site. */
export const withoutOneOwner = (scope: readonly ScopeTarget[]): string[] =>
  scope.filter(({ host, subdomains }) => subdomains && !hasOneOwner(host)).map(({ host }) => `*.${host}`);
