import type { LiveEvent } from "#contract/job.ts";
import { linesOf } from "./read-lines.ts";

/** What the server tells of an account, as it happens, until either side leaves; "ready" comes first. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<LiveEvent | { kind: "ready" } | { kind: "reset" }> {
  for await (const line of linesOf(response)) {
    if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
  }
}
