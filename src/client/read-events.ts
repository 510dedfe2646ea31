import type { LiveEvent } from "#contract/job.ts";
import { linesOf } from "./read-lines.ts";

/** Yields an account's live events until either side disconnects; "ready" comes first. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<LiveEvent | { kind: "ready" } | { kind: "reset" }> {
  for await (const line of linesOf(response)) {
    if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
  }
}
