import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { LiveEvent } from "#contract/job.ts";

/** What the server tells of an account, as it happens, until either side leaves; "ready" comes first. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<LiveEvent | { kind: "ready" } | { kind: "reset" }> {
  if (!response.body) return;
  const input = Readable.fromWeb(response.body as never);
  const lines = createInterface({ input });
  input.on("error", () => lines.close());
  try {
    for await (const line of lines) {
      if (line.startsWith("data: ")) yield JSON.parse(line.slice(6));
    }
  } finally {
    input.destroy();
  }
}
