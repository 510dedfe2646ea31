import type { WallKind } from "./wall.ts";

export { bySeverity, type Severity } from "#detection/severity/severity.ts";
export type { ContentKind, Layout, Rendered, Snapshot, TextBlock } from "#detection/snapshot/snapshot.ts";

/**
 * Why a capture failed. "blocked": the site refused us (bot protection, a login). "guard": our network guard refused
 * the target. "cut": the transfer ended before the document was complete. "status": the site sent an error page instead
 * of the page. "empty": it sent a success without any content. "rules": the job's rules couldn't be applied. "steps": a
 * step before the capture failed. "signed-out": the page doesn't show what only somebody who is signed in sees. "proxy": none of the job's proxies connected us to the site.
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
  | "empty"
  | "selector"
  | "rules"
  | "steps"
  | "signed-out"
  | "proxy";

/** A failed capture, stored with the execution. The message can be shown to the job's owner. */
export type CaptureFailure = {
  kind: CaptureFailureKind;
  message: string;
  /** What was shown instead of the page. */
  wall?: WallKind;
  /** It is about the job's identity, for which it was alerted. */
  isOfIdentity?: true;
};
