import { crc32 } from "node:zlib";
import { type Entry, fromBuffer, open, type ZipFile } from "yauzl";
import { UnreadableFile } from "#contract/unreadable-file.ts";

/** A ZIP whose files are read one by one. */
export type OpenZip = {
  entries: Map<string, { size: number }>;
  read(name: string): Promise<Buffer>;
  close(): void;
};

const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true };

const MiB = 1024 * 1024;
/** In bytes. No accepted format has files of nearly this size; all names are in memory at once. */
const limits = { file: 1024 * MiB, names: 64 * MiB };

/** Turns the library's error message about a file into a sentence. */
function refusal(why: string, name = "a file in it"): UnreadableFile {
  const [, sentence] = sentences.find(([pattern]) => pattern.test(why)) ?? [];
  return new UnreadableFile(`The ZIP cannot be read: ${sentence?.replace("$", name) ?? `${why}.`}`);
}
const sentences: [RegExp, string][] = [
  [/end of central directory/i, "its end is missing."],
  [/(too many|not enough) bytes/, "$ is not as large as it says."],
  [/^(invalid relative path|absolute path|invalid characters)/, "a name in it leads out of it."],
  [/encrypted/, "$ is encrypted."],
  [/invalid (distance|stored|block|code|literal)|unexpected end of file/, "$ is damaged."],
];

/** Opens a ZIP in memory or on disk. Refuses names that lead out of it and sizes that differ from the stated ones. */
export async function openZip(source: Buffer | string, maxFiles: number): Promise<OpenZip> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    const onOpen = (error: Error | null, file?: ZipFile) =>
      file ? resolve(file) : reject(refusal(error?.message ?? "it is broken"));
    if (typeof source === "string") open(source, options, onOpen);
    else fromBuffer(source, options, onOpen);
  });
  const entries = new Map<string, { size: number; entry: Entry }>();
  try {
    if (zip.entryCount > maxFiles) throw new UnreadableFile(`The ZIP has more than ${maxFiles} files.`);
    await new Promise<void>((resolve, reject) => {
      zip.on("error", (problem: Error) => reject(refusal(problem.message)));
      zip.on("end", resolve);
      let nameBytes = 0;
      zip.on("entry", (entry: Entry) => {
        nameBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
        if (nameBytes > limits.names)
          return reject(new UnreadableFile("The ZIP’s list of files is too long."));
        if (entry.uncompressedSize > limits.file)
          return reject(new UnreadableFile(`${entry.fileName} in the ZIP is larger than 1 GiB unpacked.`));
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
          if (problem || !stream) return reject(refusal(problem?.message ?? "it is broken", name));
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("error", (broken: Error) => reject(refusal(broken.message, name)));
          stream.on("end", () => {
            const bytes = Buffer.concat(chunks);
            if (crc32(bytes) === found.entry.crc32) resolve(bytes);
            else reject(refusal(`${name} is damaged`));
          });
        });
      });
    },
    close: () => zip.close(),
  };
}
