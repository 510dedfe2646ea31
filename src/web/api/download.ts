import { exportTotalHeader } from "#contract/export.ts";
import { ApiError } from "./call.ts";

export type Progress = { bytes: number; rows: number; total: number };

/** Reads a streamed download, telling how far it is; `mark` is what each of its rows begins with. */
export async function download(
  url: string,
  mark: Uint8Array,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, "NETWORK", "");
  });
  if (!response.ok || !response.body) {
    const { code, message } = (await response.json().catch(() => ({}))) as {
      code?: string;
      message?: string;
    };
    throw new ApiError(response.status, code ?? "UNKNOWN", message ?? "");
  }
  const total = Number(response.headers.get(exportTotalHeader) ?? 0);
  const parts: Blob[] = [];
  let bytes = 0;
  let rows = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    // As blobs, so that the browser may keep a large download on disk.
    parts.push(new Blob([chunk]));
    bytes += chunk.length;
    rows += countMarks(chunk, mark);
    onProgress({ bytes, rows, total });
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

/** A mark cut in two by the network is missed, which a progress bar can bear. */
export function countMarks(chunk: Uint8Array, mark: Uint8Array): number {
  let found = 0;
  const [first = 0] = mark;
  for (let at = chunk.indexOf(first); at >= 0; at = chunk.indexOf(first, at + 1)) {
    if (mark.every((byte, i) => chunk[at + i] === byte)) found++;
  }
  return found;
}
