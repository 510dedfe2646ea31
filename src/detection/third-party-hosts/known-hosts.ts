import type { Page } from "../html-parsing/page.ts";
import { addressesIn } from "../scripts/scripts.ts";
import { hostOf, isVendor, publisherOf, registrable } from "./hosts.ts";

/** The hosts that the old page already mentioned or loaded from, and its own. */
export class KnownHosts {
  /** Publishers of what the page loaded: scripts, frames, styles, pictures. */
  readonly #loaded = new Set<string>();
  /** Publishers that the page only linked to or mentioned. */
  readonly #mentioned = new Set<string>();
  readonly #own = new Set<string>();
  readonly #brands = new Set<string>();

  constructor(older: Page) {
    const canonical = older.metas.find((meta) => meta.name === "canonical" || meta.name === "og:url");
    for (const address of [older.base, canonical?.content ?? ""]) {
      const host = hostOf(address);
      if (host === "") continue;
      this.#own.add(registrable(host));
      if (brandOf(host) !== "") this.#brands.add(brandOf(host));
    }
    for (const address of older.styles) this.#loaded.add(publisherOf(address));
    for (const script of older.scripts) {
      for (const address of script.src === null ? addressesIn(script.code) : [])
        this.#loaded.add(publisherOf(address));
    }
    for (const node of older.nodes) {
      if (node.kind !== "element") continue;
      const { src, href, action, data, content } = node.attributes;
      const linked = node.tag === "a" || node.tag === "area";
      for (const address of [src, action, data, linked ? undefined : href]) {
        if (address) this.#loaded.add(publisherOf(address));
      }
      for (const address of [linked ? href : undefined, content])
        if (address) this.#mentioned.add(publisherOf(address));
    }
  }

  isOwnHost(host: string): boolean {
    return host === "" || this.#own.has(registrable(host));
  }

  /** Whether loading from this address contacts a host from which the old page loaded nothing. */
  isForeignSource(address: string): boolean {
    return !this.isOwnHost(hostOf(address)) && !this.#loaded.has(publisherOf(address));
  }

  /** Whether the address is on a new host that is not a common service, whose resources come and go on their own. */
  isNewSource(address: string): boolean {
    return this.isForeignSource(address) && !isVendor(hostOf(address));
  }

  isNewTarget(address: string): boolean {
    // Shops link to their own sites in other countries. Scripts get no such exception: they don't come from there, and
    // anyone can register such a name.
    const brand = brandOf(hostOf(address));
    if (brand !== "" && this.#brands.has(brand)) return false;
    return this.isNewSource(address) && !this.#mentioned.has(publisherOf(address));
  }
}

/** The name that a company uses in all countries: shop.de, shop.at, shop.co.uk; "" if anyone could have it. */
function brandOf(host: string): string {
  const match = /^([\w-]{4,})\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/.exec(registrable(host));
  return match?.[1] ?? "";
}
