import type { Judgement } from "./guard.ts";

/** How a request can fail without anyone's fault in our code. */
export type FailureKind =
  | "dns"
  | "refused"
  | "tls"
  | "timeout"
  | "cut"
  | "too-large"
  | "redirects"
  | "guard"
  | "protocol";

export type Failure = { kind: FailureKind };

/** What a person is told. The guard's reasons share one sentence each for text and for names (E11). */
export const failureSentences: Record<FailureKind, string> = {
  dns: "The name does not lead to a public address.",
  refused: "The server refused or dropped the connection.",
  tls: "The server's certificate or encryption is not valid.",
  timeout: "The server took too long to answer.",
  cut: "The server's answer ended early: only a part of it arrived.",
  "too-large": "The answer is larger than 10 MiB or its headers are larger than 32 KiB.",
  redirects: "The page redirects too many times.",
  guard: "This address may not be requested: only public http and https addresses are allowed.",
  protocol: "The server's answer could not be read.",
};

/** No answer and a refused answer for a name look alike, so that nobody can list our internal names. */
export function refusalKind(refusal: Judgement & { ok: false }): FailureKind {
  if (refusal.code === "REDIRECTS") return "redirects";
  return refusal.fromName ? "dns" : "guard";
}

/** Carries a failure through code that can only throw. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(kind: FailureKind, cause?: unknown) {
    super(kind, { cause });
    this.failure = { kind };
  }
}
