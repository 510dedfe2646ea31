import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** An answer's lines, each as it comes, until either side leaves. */
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

/** An answer of lines of JSON. */
export async function* readLines<Line>(response: Response): AsyncGenerator<Line> {
  for await (const line of linesOf(response)) yield JSON.parse(line);
}
