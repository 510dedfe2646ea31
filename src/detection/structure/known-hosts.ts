import { hostOf, isVendor, publisherOf, registrable } from "../noise/hosts.ts";
import { addressesIn } from "../noise/scripts.ts";
import type { Page } from "../page.ts";

/** Whom the old page already spoke of or loaded from, and who it is itself. */
export class KnownHosts {
  /** Scripts, frames, styles, pictures: what the page took in. */
  readonly #loaded = new Set<string>();
  /** All of these and what it only linked to. */
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

  isItself(host: string): boolean {
    return host === "" || this.#own.has(registrable(host));
  }

  /** Whether a page that loads from this address talks to someone new. */
  isForeignSource(address: string): boolean {
    return !this.isItself(hostOf(address)) && !this.#loaded.has(publisherOf(address));
  }

  /** Someone new who is no service that pages load and drop by themselves. */
  isNewSource(address: string): boolean {
    return this.isForeignSource(address) && !isVendor(hostOf(address));
  }

  isNewTarget(address: string): boolean {
    // Shops link to their sisters abroad; nobody runs scripts from there, and anyone may register such a name.
    const brand = brandOf(hostOf(address));
    if (brand !== "" && this.#brands.has(brand)) return false;
    return this.isNewSource(address) && !this.#mentioned.has(publisherOf(address));
  }
}

/** The name a company keeps across countries: shop.de, shop.at, shop.co.uk; "" where anyone could have it. */
function brandOf(host: string): string {
  const match = /^([\w-]{4,})\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/.exec(registrable(host));
  return match?.[1] ?? "";
}
