import type { ImportReply } from "#contract/import.ts";
import { type ImportLine, importStages } from "#contract/import-line.ts";
import { ApiError } from "./call.ts";

export type ImportProgress = { what: string; done: number; total: number };

/** Sends a file and tells how far it is, from its first byte on. Breaking it off imports nothing. */
export function sendImport(
  file: File,
  dryRun: boolean,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportReply> {
  const body = new FormData();
  body.set("file", file);
  return new Promise((resolve, reject) => {
    // Of what is sent, fetch tells nothing.
    const request = new XMLHttpRequest();
    let read = 0;
    const readLines = () => {
      const text = request.responseText;
      for (let end = text.indexOf("\n", read); end >= 0; end = text.indexOf("\n", read)) {
        const line = JSON.parse(text.slice(read, end)) as ImportLine;
        read = end + 1;
        if (line.kind === "done") resolve(line.reply);
        else if (line.kind === "problem") reject(new ApiError(400, line.code, line.message, line.field));
        else onProgress({ what: importStages[line.stage], done: line.done, total: line.total });
      }
    };
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ what: "MB sent", done: toMegabytes(loaded), total: toMegabytes(total) });
    request.onprogress = () => {
      if (request.status === 200) readLines();
    };
    request.onload = () => {
      if (request.status === 200) readLines();
      // Nothing is changed by what is settled already.
      reject(refusal(request));
    };
    request.onerror = () => reject(new ApiError(0, "NETWORK", ""));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", `/api/import/progress?dryRun=${dryRun}`);
    request.send(body);
  });
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 100_000) / 10;

function refusal({ status, responseText }: XMLHttpRequest): ApiError {
  if (status === 200) return new ApiError(0, "NETWORK", "");
  try {
    const { code, message, field } = JSON.parse(responseText);
    return new ApiError(status, code, message, field);
  } catch {
    return new ApiError(status, "UNKNOWN", "");
  }
}
