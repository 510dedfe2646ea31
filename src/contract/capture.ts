export type { ContentKind, Layout, Rendered, Snapshot, TextBlock } from "#detection/snapshot.ts";
export { byGravity, type Severity } from "#detection/verdict.ts";

/**
 * Why a capture has nothing to show. "blocked" is the site's doing (a bot wall, a login), "guard" is ours, "cut" is a
 * transfer that ended before its document did, "status" an error page where the page should be, "rules" are the job's own
 * that could not be applied.
 */
export type CaptureFailureKind =
  | "dns"
  | "refused"
  | "tls"
  | "timeout"
  | "cut"
  | "too-large"
  | "redirects"
  | "protocol"
  | "guard"
  | "crashed"
  | "blocked"
  | "status"
  | "selector"
  | "rules";

/** The outside world failing: stored with the execution; the message is fit for its owner's eyes. */
export type CaptureFailure = { kind: CaptureFailureKind; message: string };
