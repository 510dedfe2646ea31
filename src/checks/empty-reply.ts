import type { Snapshot } from "#contract/capture.ts";
import type { CheckInput } from "./check-input.ts";

// By their meaning these have no content.
const withoutContent = new Set([204, 205]);
// Replies to these methods usually have none either: what counts is the status and the headers.
const methodsWithoutContent: readonly (string | undefined)[] = ["HEAD", "OPTIONS", "DELETE"];
// A body of white space only is as empty to a reader; a longer one isn't searched.
const longestBlank = 1024;

/**
 * Whether a server sent a success without any content. It happens while a site is deployed or overloaded, so it says
 * nothing about the page: it is neither a removal of everything nor something to compare with.
 */
export function isEmptyReply({ request }: Pick<CheckInput, "request">, snapshot: Snapshot): boolean {
  const { status, body, text } = snapshot;
  if (
    methodsWithoutContent.includes(request.ask?.method) ||
    status < 200 ||
    status >= 300 ||
    withoutContent.has(status)
  )
    return false;
  if (body.length > longestBlank || text.some((block) => block.text.trim() !== "")) return false;
  return new TextDecoder().decode(body).trim() === "";
}

export const describeEmptyReply = ({ status }: Snapshot) =>
  `The server sent an empty reply: status ${status} without any content. The next good page is compared with the last one before it.`;
