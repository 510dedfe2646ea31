import { gunzipSync, inflateRawSync } from "node:zlib";
import { canonicalJson, padNumber, type SealedPart, type Statement, textOf } from "../seal-format.ts";
import {
  type WarcFacts,
  type WarcParts,
  type WarcRecord,
  warcRecordsOf,
  writeWarcRecord,
} from "../warc-format.ts";
import type { Findings } from "./findings.ts";
import { parseJson } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

type CapturedPart = "html" | "response" | "facts" | "picture";

/** What an export has of one execution. Bytes that can't be unpacked are null. */
export type Captured = {
  /** The names of the files with its parts. */
  names: string[];
  parts: Partial<Record<CapturedPart, Buffer | null>>;
  /** The records of its web archive, and where each of them is. */
  members?: Member[];
};
export type Member = { bytes: Buffer; offset: number; length: number };

const partFiles: Record<CapturedPart, string> = {
  html: ".html.txt",
  response: ".response.bin",
  facts: ".facts.json",
  picture: ".png",
};

export function readFiles(zip: Archive, number: number): Captured {
  const captured: Captured = { names: [], parts: {} };
  for (const [part, ending] of Object.entries(partFiles) as [CapturedPart, string][]) {
    const name = `executions/${padNumber(number)}${ending}`;
    const file = zip.read(name);
    if (!file) continue;
    captured.names.push(name);
    captured.parts[part] = file.bytes;
  }
  return captured;
}

/** In a WACZ, the parts of a capture are records of a WARC. */
export function readWaczFiles(zip: Archive, number: number): Captured {
  const name = `archive/${padNumber(number)}.warc.gz`;
  const file = zip.read(name);
  if (!file) return { names: [], parts: {} };
  const members = file.bytes && unpackMembers(file.bytes);
  if (!members) return { names: [name], parts: { html: null, response: null, facts: null, picture: null } };
  const parts: Captured["parts"] = {};
  for (const { bytes } of members) {
    const body = bytes.indexOf("\r\n\r\n") + 4;
    const head = bytes.subarray(0, body).toString();
    const part = /^Watchglass-Part: (\w+)\r$/m.exec(head)?.[1] as CapturedPart | undefined;
    const block = bytes.subarray(body, -4);
    if (part && part in partFiles)
      parts[part] = part === "response" ? block.subarray(block.indexOf("\r\n\r\n") + 4) : block;
  }
  return { names: [name], parts, members };
}

/** In bytes; the largest part of a capture is far smaller. */
const largestRecord = 256 * 1024 * 1024;

/** Unpacks the gzip members of a WARC, one record each. Undefined if a byte belongs to none of them. */
function unpackMembers(packed: Buffer): Member[] | undefined {
  const members: Member[] = [];
  try {
    for (let at = 0; at < packed.length; ) {
      // A header without a name, comment or time, in which bytes could be hidden.
      if (packed.readUInt32BE(at) !== 0x1f8b0800 || packed.readUInt32LE(at + 4) !== 0) return undefined;
      const { engine } = inflateRawSync(packed.subarray(at + 10), {
        maxOutputLength: largestRecord,
        info: true,
      }) as unknown as { engine: { bytesWritten: number } };
      const length = 10 + engine.bytesWritten + 8;
      // Unpacked again as a whole, because that checks the member's checksum.
      const bytes = gunzipSync(packed.subarray(at, at + length), { maxOutputLength: largestRecord });
      members.push({ bytes, offset: at, length });
      at += length;
    }
    return members;
  } catch {
    return undefined;
  }
}

/** Compares the records of a web archive with those that its capture gives; returns them in the order of the file. */
export function checkRecords(
  captured: Captured,
  { id, number, at }: { id: string; number: number; at: string },
  isSigned: boolean,
  { flag }: Findings,
): { record: WarcRecord; member: Member }[] {
  const { members } = captured;
  const { html, response, facts, picture } = captured.parts;
  const known = parseJson<WarcFacts>(facts);
  if (members && Object.keys(captured.parts).length === 0)
    flag(
      "added",
      `Execution ${number}: its web archive has ${members.length} records, but it has no capture.`,
    );
  if (!members || !html || !response || !facts || !Array.isArray(known?.text)) return [];
  const parts: WarcParts = { html, response, facts, picture: picture ?? null };
  const expected = warcRecordsOf(parts, reasonOf(known.status, members[1]?.bytes));
  const found: { record: WarcRecord; member: Member }[] = [];
  for (const [place, record] of expected.entries()) {
    const member = members[place];
    // Records of unsigned exports have ids that were made up.
    const own = isSigned
      ? undefined
      : /<urn:uuid:([\da-f-]{36})>/.exec(member?.bytes.toString("latin1", 0, 300_000) ?? "")?.[1];
    const name = record.uri ? `record of ${record.uri}` : "first record";
    if (!member?.bytes.equals(writeWarcRecord(record, id, at, own)))
      flag("altered", `Execution ${number}: the ${name} in its web archive doesn't match its capture.`);
    else found.push({ record, member });
  }
  if (members.length > expected.length)
    flag(
      "added",
      `Execution ${number}: its web archive has ${members.length} records, but its capture has ${expected.length}.`,
    );
  return found;
}

/** Words after a status that RFC 9110 renamed, so that they depend on the version of Node. */
const renamed: Record<number, string[]> = {
  413: ["Payload Too Large", "Content Too Large"],
  422: ["Unprocessable Entity", "Unprocessable Content"],
};

/** The words after the status of a response: those of this version of Node, unless another one may say it otherwise. */
function reasonOf(status: number, record: Buffer | undefined): string | undefined {
  const [, found = ""] =
    /\r\n\r\nHTTP\/1\.1 \d+(?: ([A-Za-z' -]{1,40}))?\r\n/.exec(
      record?.toString("latin1", 0, 300_000) ?? "",
    ) ?? [];
  return renamed[status]?.includes(found) ? found : undefined;
}

/** Text and headers, which are part of the facts. */
export function readFacts(facts: Buffer | null | undefined): {
  text?: string | null;
  headers?: string | null;
} {
  if (facts === undefined) return {};
  const parsed = parseJson<{ text: { text: string }[]; headers: unknown }>(facts);
  if (!Array.isArray(parsed?.text)) return { text: null, headers: null };
  return { text: textOf(parsed), headers: canonicalJson(parsed.headers) };
}

/** Verdict and log, which are part of the record. */
export function readRecord(
  record: Record<string, unknown> | undefined,
  { logLines }: Pick<Statement, "logLines">,
): Partial<Record<SealedPart, string>> {
  const log = record?.log;
  return {
    ...(record?.verdict ? { verdict: canonicalJson(record.verdict) } : {}),
    ...(Array.isArray(log) && log.length >= logLines ? { log: canonicalJson(log.slice(0, logLines)) } : {}),
  };
}
