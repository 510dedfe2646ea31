import type { Snapshot } from "#contract/capture.ts";
import type { FetchResult } from "#network/guarded-fetch.ts";

/**
 * Whether nobody saw the end of a document's coding. Chromium takes a coded body that ends early for a whole one; the
 * gateway notices, but not behind TLS.
 */
export function isUnproven({
  via,
  finalUrl,
  headers,
}: Pick<Snapshot, "via" | "finalUrl" | "headers">): boolean {
  const isCoded = headers.some(([name, value]) => name === "content-encoding" && value !== "identity");
  return via === "browser" && isCoded && finalUrl.startsWith("https:");
}

/** Whether the same request by plain HTTP, where the end of a coding is seen, shows that a document was cut. */
export function provesCut({ body }: Pick<Snapshot, "body">, again: FetchResult): boolean {
  if (!again.ok) return again.failure.kind === "cut";
  const whole = again.response.body;
  return body.length < whole.length && Buffer.compare(whole.subarray(0, body.length), body) === 0;
}
