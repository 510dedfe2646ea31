import { networkInterfaces } from "node:os";
import { performance } from "node:perf_hooks";
import pLimit from "p-limit";
import { type EgressAllow, isNamed } from "./egress-allow.ts";
import { judgeAddress, judgeUrl, type ParsedUrl, type RefusalCode } from "./judge-url.ts";
import { openResolver, type ResolveName } from "./resolve-name.ts";
import { type Address, isSameAddress, parseAddress } from "./rules/address.ts";

/** For whom a request is made; it decides how many redirects are followed (E7). */
export type Purpose = "page" | "browser" | "trigger";

export const maxRedirects: Record<Purpose, number> = { page: 10, browser: 10, trigger: 0 };

/** A URL that may be requested, and the only addresses that may be dialled for it. */
export type Target = { url: URL; hostname: string; port: number; addresses: Address[]; lookupMs: number };

export type Judgement =
  | { ok: true; target: Target }
  /** `fromName`: what the name's lookup gave decided, so the user must not learn which refusal it was. */
  | { ok: false; code: RefusalCode; fromName: boolean };

export type Log = Record<"debug" | "info" | "warn", (data: object, message: string) => void>;

type Found = Promise<(Address | null)[]>;
/** What names were found to mean, so that one capture asks once for each. */
export type Answers = (name: string, ask: () => Found) => Found;

// Large pages load from some eighty hosts.
const maxNames = 200;
const maxPending = 16;

/** One capture's: so many names, and so many of them at a time. */
export function rememberAnswers(): Answers {
  const known = new Map<string, Found>();
  const inTurn = pLimit(maxPending);
  return (name, ask) => {
    const found = known.get(name) ?? (known.size < maxNames ? inTurn(ask) : Promise.resolve([]));
    if (known.size < maxNames) known.set(name, found);
    return found;
  };
}

export type Guard = {
  judge(text: string, purpose: Purpose, known?: Answers): Promise<Judgement>;
  /** Judges a Location value; `followed` counts the redirects already taken. */
  judgeRedirect(location: string, from: URL, purpose: Purpose, followed: number): Promise<Judgement>;
};

export type GuardOptions = {
  allow: EgressAllow;
  resolve?: ResolveName;
  /** This machine's, as they were at the start, when not given. */
  ownAddresses?: string[];
  logger?: Log;
};

const lookupLimitMs = 5_000;

const parseAll = (texts: string[]) => texts.flatMap((text) => parseAddress(text) ?? []);
const ofThisMachine = parseAll(
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((each) => each.address)),
);

/** The one judge of every outgoing request (E1). */
export function createGuard(options: GuardOptions): Guard {
  const { allow, resolve = openResolver(), logger } = options;
  const own = options.ownAddresses ? parseAll(options.ownAddresses) : ofThisMachine;
  logger?.info({ egressAllow: allow.text || "none" }, "egress guard ready");

  async function judgeText(text: string, purpose: Purpose, known?: Answers, base?: URL): Promise<Judgement> {
    const judgement = judgeUrl(text, allow, base);
    if (!judgement.ok) return refuse(judgement.code, false, purpose);
    const { parsed } = judgement;
    const started = performance.now();
    const addresses = parsed.address
      ? [parsed.address]
      : await (known ? known(parsed.hostname, () => ask(parsed.hostname)) : ask(parsed.hostname));
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
    const isOwn = own.some((mine) => isSameAddress(mine, address));
    if (isOwn && !isNamed(allow, address, parsed.port)) return "ADDRESS";
    return judgeAddress(parsed, address, allow);
  }

  async function ask(name: string): Found {
    const over = new AbortController();
    try {
      return (await within(lookupLimitMs, resolve(name, over.signal))).map(parseAddress);
    } catch {
      return [];
    } finally {
      over.abort();
    }
  }

  function refuse(code: RefusalCode, fromName: boolean, purpose: Purpose, parsed?: ParsedUrl): Judgement {
    logger?.debug({ code, purpose, host: parsed?.hostname, port: parsed?.port }, "egress refused");
    return { ok: false, code, fromName };
  }

  return {
    judge: (text, purpose, known) => judgeText(text, purpose, known),
    judgeRedirect: async (location, from, purpose, followed) =>
      followed >= maxRedirects[purpose]
        ? refuse("REDIRECTS", false, purpose)
        : judgeText(location, purpose, undefined, from),
  };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
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
