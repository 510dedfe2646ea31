import { type Entry, fromBuffer, open, type ZipFile } from "yauzl";
import { UnreadableFile } from "./importing/draft.ts";

/** A ZIP whose files are read one by one. */
export type OpenZip = {
  entries: Map<string, { size: number }>;
  read(name: string): Promise<Buffer>;
  close(): void;
};

const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true };

/** Opens a ZIP in memory or on the disk. Names that lead out of it, and sizes that are not as said, are refused. */
export async function openZip(given: Buffer | string, maximum: number): Promise<OpenZip> {
  const refusal = (why: string) => new UnreadableFile(`The ZIP cannot be read: ${why}`);
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    const opened = (error: Error | null, file?: ZipFile) =>
      file ? resolve(file) : reject(refusal(error?.message ?? "it is broken"));
    if (typeof given === "string") open(given, options, opened);
    else fromBuffer(given, options, opened);
  });
  const entries = new Map<string, { size: number; entry: Entry }>();
  try {
    if (zip.entryCount > maximum) throw new UnreadableFile(`The ZIP has more than ${maximum} files.`);
    await new Promise<void>((resolve, reject) => {
      zip.on("error", (problem: Error) => reject(refusal(problem.message)));
      zip.on("end", resolve);
      zip.on("entry", (entry: Entry) => {
        entries.set(entry.fileName, { size: entry.uncompressedSize, entry });
        zip.readEntry();
      });
      zip.readEntry();
    });
  } catch (error) {
    zip.close();
    throw error;
  }
  return {
    entries,
    read(name) {
      const found = entries.get(name);
      return new Promise((resolve, reject) => {
        if (!found) return reject(refusal(`${name} is missing`));
        zip.openReadStream(found.entry, (problem, stream) => {
          if (problem || !stream) return reject(refusal(problem?.message ?? "it is broken"));
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("error", (broken: Error) => reject(refusal(broken.message)));
          stream.on("end", () => resolve(Buffer.concat(chunks)));
        });
      });
    },
    close: () => zip.close(),
  };
}
