import { ApiError } from "./call.ts";

/** Posts JSON and hands on each line of the answer as it comes. */
export async function readLines<Line>(
  url: string,
  body: unknown,
  onLine: (line: Line) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, "NETWORK", "");
  });
  if (!response.ok || !response.body) {
    const { code, message, field } = (await response.json().catch(() => ({}))) as {
      code?: string;
      message?: string;
      field?: string;
    };
    throw new ApiError(response.status, code ?? "UNKNOWN", message ?? "", field);
  }
  let rest = "";
  const text = response.body.pipeThrough(new TextDecoderStream());
  for await (const chunk of text as unknown as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(JSON.parse(line) as Line);
  }
}
