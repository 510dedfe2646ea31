import type { Snapshot } from "#contract/capture.ts";
import type { CheckInput } from "./check-input.ts";

// By their meaning these have no content.
const withoutContent = new Set([204, 205]);
// A body of white space only is as empty to a reader; a longer one isn't searched.
const longestBlank = 1024;

/**
 * Whether a server sent a success without any content. It happens while a site is deployed or overloaded, so it says
 * nothing about the page: it is neither a removal of everything nor something to compare with.
 */
export function isEmptyReply({ request }: Pick<CheckInput, "request">, snapshot: Snapshot): boolean {
  const { status, body, text } = snapshot;
  const method: string | undefined = request.ask?.method;
  if (method === "HEAD" || status < 200 || status >= 300 || withoutContent.has(status)) return false;
  if (body.length > longestBlank || text.some((block) => block.text.trim() !== "")) return false;
  return new TextDecoder().decode(body).trim() === "";
}

export const describeEmptyReply = ({ status }: Snapshot) =>
  `The server sent an empty reply: status ${status} without any content. Later checks are compared with the last capture that had some.`;
