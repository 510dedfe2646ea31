import type { Snapshot } from "#contract/capture.ts";
import type { FetchResult } from "#network/guarded-fetch.ts";

/**
 * Whether a document may have been cut unnoticed. Chromium accepts a compressed body that ends early as complete; the
 * gateway detects that, but can't see inside TLS.
 */
export function mayBeCut({
  via,
  finalUrl,
  headers,
}: Pick<Snapshot, "via" | "finalUrl" | "headers">): boolean {
  const isCompressed = headers.some(([name, value]) => name === "content-encoding" && value !== "identity");
  return via === "browser" && isCompressed && finalUrl.startsWith("https:");
}

/** Whether the same request by plain HTTP, which detects compressed data that ends early, shows that it was cut. */
export function provesDocumentCut({ body }: Pick<Snapshot, "body">, refetched: FetchResult): boolean {
  if (!refetched.ok) return refetched.failure.kind === "cut";
  const wholeBody = refetched.response.body;
  return body.length < wholeBody.length && Buffer.compare(wholeBody.subarray(0, body.length), body) === 0;
}
