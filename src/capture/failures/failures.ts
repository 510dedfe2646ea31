import type { CaptureFailure, CaptureFailureKind } from "#contract/capture.ts";
import { type FailureKind, failureSentences } from "#network/failure.ts";

const sentences: Record<CaptureFailureKind, string> = {
  ...failureSentences,
  crashed: "The browser crashed while it opened the page.",
  blocked: "The site showed a challenge or a login instead of the page.",
  status: "The server answered with an error.",
  empty: "The server sent an empty reply.",
  selector: "The selector matches nothing on the page.",
  steps: "A step before the capture failed.",
  "signed-out": "The page isn’t shown to somebody who is signed in.",
  rules: "The job's rules can't be applied to the page.",
};

/** The server answered, and then our own limits ended the capture: the server isn't to blame. */
export const outOfTime =
  "Our capture ran out of time: the server answered, but the page took too long to load and draw completely.";

/** Creates a failure with its kind's usual sentence, unless a better message is given. */
export function failure(
  kind: CaptureFailureKind | FailureKind,
  message: string = sentences[kind],
): CaptureFailure {
  return { kind, message };
}
