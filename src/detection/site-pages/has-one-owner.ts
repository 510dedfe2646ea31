import { getDomain } from "tldts";

/** Whether the subdomains of a host belong to whoever has the host; those of "co.uk" or "github.io" don't. */
export const hasOneOwner = (host: string): boolean =>
  /^[\d.]+$|^\[/.test(host) || getDomain(host, { allowPrivateDomains: true }) !== null;
