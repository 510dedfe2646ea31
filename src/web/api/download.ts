import { exportTotalHeader } from "#contract/export.ts";

export type Progress = { bytes: number; rows: number; total: number };

/** Reads a streamed download and reports its progress; `mark` is a byte sequence that occurs once per row. */
export async function download(
  response: Response,
  mark: Uint8Array,
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const total = Number(response.headers.get(exportTotalHeader) ?? 0);
  const parts: Blob[] = [];
  let bytes = 0;
  let rows = 0;
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    // Chunks become blobs so that the browser can store a large download on disk.
    parts.push(new Blob([chunk]));
    bytes += chunk.length;
    rows += countMarks(chunk, mark);
    onProgress({ bytes, rows, total });
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

/** Counts the marks in a chunk. A mark split across two chunks is missed, which is fine for a progress bar. */
export function countMarks(chunk: Uint8Array, mark: Uint8Array): number {
  let found = 0;
  const [first = 0] = mark;
  for (let at = chunk.indexOf(first); at >= 0; at = chunk.indexOf(first, at + 1)) {
    if (mark.every((byte, i) => chunk[at + i] === byte)) found++;
  }
  return found;
}
