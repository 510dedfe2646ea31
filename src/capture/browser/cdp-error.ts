/**
 * Why a command has no answer: the browser is gone, the page went elsewhere meanwhile, the browser ended what took too
 * long, a script in the page threw, or the browser would not.
 */
export type CdpErrorKind = "gone" | "moved" | "ended" | "thrown" | "refused";

// DevTools answers all of these with one code and tells them apart by their words only.
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

  /** The browser's own answer to a command. */
  static answered(method: string, message: string): CdpError {
    return new CdpError(kinds.get(message) ?? "refused", `${method}: ${message}`);
  }
}
