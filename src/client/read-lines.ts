import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** Yields the lines of a response as they arrive, until either side disconnects. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const input = Readable.fromWeb(response.body as never);
  const lines = createInterface({ input });
  input.on("error", () => lines.close());
  try {
    yield* lines;
  } finally {
    input.destroy();
  }
}

/** Yields the values of a response that has one JSON value per line. */
export async function* readLines<Line>(response: Response): AsyncGenerator<Line> {
  for await (const line of linesOf(response)) yield JSON.parse(line);
}
