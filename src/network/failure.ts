import type { Judgement } from "./guard.ts";
import type { ProxyProblem } from "./proxy.ts";

/** How a request can fail without a bug in our code. */
export type FailureKind =
  | "dns"
  | "refused"
  | "tls"
  | "timeout"
  | "cut"
  | "too-large"
  | "redirects"
  | "guard"
  | "protocol"
  | "proxy";

/** `proxy`: what is wrong with the proxy, if that is the failure. */
export type Failure = { kind: FailureKind; proxy?: ProxyProblem };

/** The sentences that users see. All of the guard's reasons share one for URLs and one for names (E11). */
export const failureSentences: Record<FailureKind, string> = {
  dns: "The name doesn’t resolve to a public address.",
  refused: "The server refused or dropped the connection.",
  tls: "The server's certificate or encryption is not valid.",
  timeout: "The server took too long to answer.",
  cut: "The server's answer ended early: only a part of it arrived.",
  "too-large": "The answer is larger than 10 MiB or its headers are larger than 32 KiB.",
  redirects: "The page redirects too many times.",
  guard: "This address may not be requested: only public http and https addresses are allowed.",
  protocol: "The server's answer could not be read.",
  proxy: "The proxy did not connect us to the site.",
};

/** A name without an address and one with a refused address look alike, so that nobody can find our internal names. */
export function refusalKind(refusal: Judgement & { ok: false }): FailureKind {
  if (refusal.code === "REDIRECTS") return "redirects";
  return refusal.dependsOnLookup ? "dns" : "guard";
}

/** Carries a failure through code that can only throw. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(kind: FailureKind, cause?: unknown, proxy?: ProxyProblem) {
    super(kind, { cause });
    this.failure = { kind, ...(proxy && { proxy }) };
  }
}
