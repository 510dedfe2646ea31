import type { ImportReply } from "#contract/import.ts";
import { type ImportLine, importStages } from "#contract/import-line.ts";
import { CallError } from "./call.ts";

export type ImportProgress = { what: string; done: number; total: number };

/** Uploads a file and reports its progress from the first byte on. Aborting it imports nothing. */
export function sendImport(
  file: File,
  dryRun: boolean,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportReply> {
  const body = new FormData();
  body.set("file", file);
  return new Promise((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest();
    let offset = 0;
    const readLines = () => {
      const text = request.responseText;
      for (let end = text.indexOf("\n", offset); end >= 0; end = text.indexOf("\n", offset)) {
        const line = JSON.parse(text.slice(offset, end)) as ImportLine;
        offset = end + 1;
        if (line.kind === "done") resolve(line.reply);
        else if (line.kind === "problem") reject(new CallError(400, line.code, line.message, line.field));
        else onProgress({ what: importStages[line.stage], done: line.done, total: line.total });
      }
    };
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ what: "MiB sent", done: toMebibytes(loaded), total: toMebibytes(total) });
    request.onprogress = () => {
      if (request.status === 200) readLines();
    };
    request.onload = () => {
      if (request.status === 200) readLines();
      // This has no effect if the promise is already settled.
      reject(toCallError(request));
    };
    request.onerror = () => reject(new CallError(0, "NETWORK", ""));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", `/api/import/progress?dryRun=${dryRun}`);
    request.send(body);
  });
}

const toMebibytes = (bytes: number) => Math.ceil((10 * bytes) / 1024 ** 2) / 10;

function toCallError({ status, responseText }: XMLHttpRequest): CallError {
  if (status === 200) return new CallError(0, "NETWORK", "");
  try {
    const { code, message, field } = JSON.parse(responseText);
    return new CallError(status, code, message, field);
  } catch {
    return new CallError(status, "UNKNOWN", "");
  }
}
