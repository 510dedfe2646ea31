/** Passes each line of a response to `onLine` as it arrives. */
export async function readLines<Line>(response: Response, onLine: (line: Line) => void): Promise<void> {
  let incompleteLine = "";
  const text = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  for await (const chunk of text as unknown as AsyncIterable<string>) {
    const lines = (incompleteLine + chunk).split("\n");
    incompleteLine = lines.pop() ?? "";
    for (const line of lines) onLine(JSON.parse(line) as Line);
  }
}
