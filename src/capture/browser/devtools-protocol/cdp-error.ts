/**
 * Why a command failed: the browser is gone, the page navigated away in the meantime, the browser terminated a script
 * that took too long, a script in the page threw, or the browser refused.
 */
export type CdpErrorKind = "gone" | "moved" | "ended" | "thrown" | "refused";

// DevTools answers all of these with the same code; only the message tells them apart.
const kinds = new Map<string, CdpErrorKind>([
  ["Cannot find context with specified id", "moved"],
  ["Cannot find default execution context", "moved"],
  ["Execution context was destroyed.", "moved"],
  ["Internal error: context is destroyed", "moved"],
  ["Inspected target navigated or closed", "moved"],
  ["Execution was terminated", "ended"],
  ["Internal error", "ended"],
]);

export class CdpError extends Error {
  readonly kind: CdpErrorKind;

  constructor(kind: CdpErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }

  /** The error that the browser itself answered a command with. */
  static answered(method: string, message: string): CdpError {
    return new CdpError(kinds.get(message) ?? "refused", `${method}: ${message}`);
  }
}
