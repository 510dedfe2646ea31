import { networkInterfaces } from "node:os";
import { performance } from "node:perf_hooks";
import pLimit from "p-limit";
import { type Address, isSameAddress, parseAddress } from "./address-rules/address.ts";
import { type EgressAllow, isNamed } from "./address-rules/egress-allow.ts";
import { judgeAddress, judgeUrl, type ParsedUrl, type RefusalCode } from "./judge-url.ts";
import type { PageProxy } from "./proxy.ts";
import { openResolver, type ResolveName } from "./resolve-name.ts";

/** What a request is made for; it decides how many redirects are followed (E7). */
export type Purpose = "page" | "browser" | "trigger" | "crawl";

/** A crawl decides itself whether it goes where a page redirects to. */
export const maxRedirects: Record<Purpose, number> = { page: 10, browser: 10, trigger: 0, crawl: 0 };

/**
 * A URL that may be requested, and the only addresses that may be dialed for it. There are none if the proxy looks up the
 * name: such a target can only be reached through it.
 */
export type Target = { url: URL; hostname: string; port: number; addresses: Address[]; lookupMs: number };

export type Judgement =
  | { ok: true; target: Target }
  /** `dependsOnLookup`: the name's lookup decided, so the user must not learn which refusal it was. */
  | { ok: false; code: RefusalCode; dependsOnLookup: boolean };

export type Log = Record<"debug" | "info" | "warn", (data: object, message: string) => void>;

type Lookup = Promise<(Address | null)[]>;
/** Remembers the addresses of names, so that one capture looks each name up once. */
export type Answers = (name: string, ask: () => Lookup) => Lookup;

// Large pages load from about eighty hosts.
const maxNames = 200;
const maxPending = 16;

/** Remembers the lookups of one capture; limits how many names it looks up, in total and at once. */
export function createLookupCache(): Answers {
  const known = new Map<string, Lookup>();
  const limit = pLimit(maxPending);
  return (name, ask) => {
    const found = known.get(name) ?? (known.size < maxNames ? limit(ask) : Promise.resolve([]));
    if (known.size < maxNames) known.set(name, found);
    return found;
  };
}

export type Guard = {
  /** With a proxy that looks up names itself, names aren't looked up here. */
  judge(text: string, purpose: Purpose, known?: Answers, proxy?: PageProxy): Promise<Judgement>;
  /** Judges a Location value; `followed` counts the redirects already taken. */
  judgeRedirect(
    location: string,
    from: URL,
    purpose: Purpose,
    followed: number,
    proxy?: PageProxy,
  ): Promise<Judgement>;
};

export type GuardOptions = {
  allow: EgressAllow;
  resolve?: ResolveName;
  /** Defaults to this machine's addresses at startup. */
  ownAddresses?: string[];
  logger?: Log;
  /** Whether the operator lets proxies look up names themselves, so that we don't see where they lead. */
  proxiesLookUpNames?: boolean;
};

const lookupLimitMs = 5_000;

const parseAll = (texts: string[]) => texts.flatMap((text) => parseAddress(text) ?? []);
const machineAddresses = parseAll(
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((each) => each.address)),
);

/** Creates the guard that judges every outgoing request (E1). */
export function createGuard(options: GuardOptions): Guard {
  const { allow, resolve = openResolver(), logger, proxiesLookUpNames = false } = options;
  const ownAddresses = options.ownAddresses ? parseAll(options.ownAddresses) : machineAddresses;
  logger?.info({ egressAllow: allow.text || "none" }, "egress guard ready");

  async function judgeText(
    text: string,
    purpose: Purpose,
    { known, base, proxy }: { known?: Answers | undefined; base?: URL; proxy?: PageProxy | undefined },
  ): Promise<Judgement> {
    const judgement = judgeUrl(text, allow, base);
    if (!judgement.ok) return refuse(judgement.code, false, purpose);
    const { parsed } = judgement;
    if (proxy?.looksUpNames && proxiesLookUpNames && !parsed.address) {
      // Exceptions are addresses, and there is none to compare with.
      if (parsed.refusalUnlessListed) return refuse(parsed.refusalUnlessListed, false, purpose, parsed);
      const { url, hostname, port } = parsed;
      return { ok: true, target: { url, hostname, port, addresses: [], lookupMs: 0 } };
    }
    const started = performance.now();
    const addresses = parsed.address
      ? [parsed.address]
      : await (known ? known(parsed.hostname, () => lookUp(parsed.hostname)) : lookUp(parsed.hostname));
    if (addresses.length === 0) return refuse("RESOLVE", true, purpose, parsed);
    for (const address of addresses) {
      const code = address ? judgeAnswer(parsed, address) : "ADDRESS";
      if (code) return refuse(code, parsed.address === null, purpose, parsed);
    }
    const { url, hostname, port } = parsed;
    const lookupMs = parsed.address ? 0 : performance.now() - started;
    return {
      ok: true,
      target: { url, hostname, port, addresses: addresses.flatMap((a) => a ?? []), lookupMs },
    };
  }

  function judgeAnswer(parsed: ParsedUrl, address: Address): RefusalCode | null {
    const isOwn = ownAddresses.some((own) => isSameAddress(own, address));
    if (isOwn && !isNamed(allow, address, parsed.port)) return "ADDRESS";
    return judgeAddress(parsed, address, allow);
  }

  async function lookUp(name: string): Lookup {
    const cancellation = new AbortController();
    try {
      return (await withTimeout(lookupLimitMs, resolve(name, cancellation.signal))).map(parseAddress);
    } catch {
      return [];
    } finally {
      cancellation.abort();
    }
  }

  function refuse(
    code: RefusalCode,
    dependsOnLookup: boolean,
    purpose: Purpose,
    parsed?: ParsedUrl,
  ): Judgement {
    logger?.debug({ code, purpose, host: parsed?.hostname, port: parsed?.port }, "egress refused");
    return { ok: false, code, dependsOnLookup };
  }

  return {
    judge: (text, purpose, known, proxy) => judgeText(text, purpose, { known, proxy }),
    judgeRedirect: async (location, from, purpose, followed, proxy) =>
      followed >= maxRedirects[purpose]
        ? refuse("REDIRECTS", false, purpose)
        : judgeText(location, purpose, { base: from, proxy }),
  };
}

async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
