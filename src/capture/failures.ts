import type { CaptureFailure, CaptureFailureKind } from "#contract/capture.ts";
import { type FailureKind, failureSentences } from "#network/failure.ts";

const sentences: Record<CaptureFailureKind, string> = {
  ...failureSentences,
  crashed: "The page crashed the browser.",
  blocked: "The site showed a challenge or a login instead of the page.",
  selector: "The selector matches nothing on the page.",
};

/** A failure as a value, in the words its kind is known by unless better ones are given. */
export function failure(
  kind: CaptureFailureKind | FailureKind,
  message: string = sentences[kind],
): CaptureFailure {
  return { kind, message };
}

const byNetError: [RegExp, CaptureFailureKind][] = [
  [/UNSAFE_PORT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|BLOCKED_BY_ADMINISTRATOR/, "guard"],
  [/NAME_NOT_RESOLVED|DNS/, "dns"],
  [/TIMED_OUT/, "timeout"],
  [/CERT|SSL|TLS/, "tls"],
  [/TOO_MANY_REDIRECTS/, "redirects"],
  [
    /CONNECTION|TUNNEL|PROXY|ADDRESS_UNREACHABLE|NETWORK|EMPTY_RESPONSE|SOCKET|LENGTH_MISMATCH|INCOMPLETE/,
    "refused",
  ],
];

/** Chromium's own name for a network error, as one of ours. */
export function netErrorKind(error: string): CaptureFailureKind {
  return byNetError.find(([pattern]) => pattern.test(error))?.[1] ?? "protocol";
}
