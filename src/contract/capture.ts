export type { ContentKind, Layout, Rendered, Snapshot, TextBlock } from "#detection/snapshot.ts";
export { byGravity, type Severity } from "#detection/verdict.ts";

/**
 * Why a capture has nothing to show. "blocked" is the site's doing (a bot wall, a login), "guard" is ours, "rules" are
 * the job's own that could not be applied.
 */
export type CaptureFailureKind =
  | "dns"
  | "refused"
  | "tls"
  | "timeout"
  | "too-large"
  | "redirects"
  | "protocol"
  | "guard"
  | "crashed"
  | "blocked"
  | "selector"
  | "rules";

/** The outside world failing: stored with the execution; the message is fit for its owner's eyes. */
export type CaptureFailure = { kind: CaptureFailureKind; message: string };
