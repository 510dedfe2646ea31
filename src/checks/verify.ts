// Checks an export of Watchglass: node verify.mjs FILE [--head HASH]
// It stands in every export, so it needs Node 20 and nothing else.
import { constants, createHash, createVerify, X509Certificate } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

/** What an execution was, in the words that are hashed. */
export type Statement = {
  watchglass: "seal 1";
  job: string;
  execution: string;
  number: number;
  at: string;
  sealed: string;
  url: string;
  status: number | null;
  changed: boolean;
  severity: string | null;
  similarity: number | null;
  summary: string;
  error: string | null;
  /** The values the job follows; older seals do not tell. */
  values?: Record<string, { text: string | null; number: number | null }> | null;
  parts: Partial<Record<SealedPart, string>>;
  /** How many lines of the log there were; later ones tell of alerts and triggers. */
  logLines: number;
};
export type SealedPart = "picture" | "html" | "response" | "facts" | "text" | "headers" | "verdict" | "log";
/** A line of chain/seals-*.jsonl. */
export type ChainLine = { position: number; number: number; digest: string; hash: string; kept: boolean };
/** A line of chain/days.jsonl; `statement` is what `hash` is of. */
export type DayLine = { day: string; statement: string; hash: string; stamp: string | null };
export type DayStatement = {
  watchglass: "day 1";
  day: string;
  taken: string;
  previous: string | null;
  heads: string[];
};

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** JSON with every object's keys in one order: what a database gives back has the same text as what it was given. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A job's chain begins with its own name, so that none can be passed off as another's. */
export const firstLink = (job: string) => sha256(`watchglass chain ${job}`);
export const linkOf = (previous: string, digest: string) => sha256(previous + digest);
/** A job's place in the head of a day: other jobs' names and numbers stay untold. */
export const leafOf = (job: string, position: number, hash: string) => sha256(`${job} ${position} ${hash}`);
/** A page's words as they are sealed: one block a line. */
export const textOf = ({ text }: { text: { text: string }[] }) => text.map((block) => block.text).join("\n");
export const hashJson = (value: unknown) => sha256(canonicalJson(value));
export const hashText = sha256;

/** Said instead of a result: the file is no export. */
class Foreign extends Error {}

type Entry = { method: number; packed: number; size: number; crc: number; offset: number };
type Archive = {
  names: string[];
  doubled: string[];
  has(name: string): boolean;
  /** Undefined when there is no such file; `bytes` is null when it cannot be unpacked. */
  read(name: string): { bytes: Buffer | null; sound: boolean } | undefined;
};

type Problem = "altered" | "missing" | "added";
export type Result = {
  intact: boolean;
  problems: { problem: Problem; text: string }[];
  notes: string[];
};

/** Checks a file and says in words what is intact, what is missing and what was altered. */
export function verify(path: string, known?: string): Result {
  const file = openSync(path, "r");
  try {
    return check(openZip(file), known);
  } finally {
    closeSync(file);
  }
}

function check(zip: Archive, known?: string): Result {
  const problems: Result["problems"] = [];
  const notes: string[] = [];
  const tell = (problem: Problem, text: string) => void problems.push({ problem, text });
  const accounted = new Set(["verify.mjs", "job.json", "chain/days.jsonl"]);
  for (const name of zip.names) if (/^index(-\d+)?\.html$/.test(name)) accounted.add(name);
  const isWacz = zip.has("datapackage.json");
  const pages = zip.names.filter((name) => /^chain\/seals-\d+\.jsonl$/.test(name)).sort();
  const job = parse<{ id: string; url: string; chain: { length: number; head: string | null } }>(
    zip.read("job.json")?.bytes,
  );
  if (pages.length === 0 && !job) throw new Foreign("It is not an export of Watchglass: it has no chain.");
  if (pages.length === 0)
    throw new Foreign(
      "It has no chain: it was exported before there were seals, or the chain was taken out.",
    );
  if (!job?.id)
    throw new Foreign("Its job.json is missing or cannot be read, so nobody can say whose chain it is.");
  for (const name of zip.doubled) tell("added", `There are two files called ${name}.`);

  // The chain itself.
  const lines: ChainLine[] = [];
  for (const name of pages) {
    accounted.add(name);
    for (const text of lineTexts(zip.read(name)?.bytes)) {
      const line = parse<ChainLine>(text);
      if (line && typeof line.hash === "string" && typeof line.digest === "string") lines.push(line);
      else tell("altered", `A line of ${name} cannot be read.`);
    }
  }
  const leaves = new Map<string, number>();
  let previous = firstLink(job.id);
  let expected = 1;
  for (const line of lines) {
    if (line.position !== expected) {
      tell(
        line.position > expected ? "missing" : "altered",
        line.position > expected
          ? `${places(expected, line.position - 1)} missing in the chain.`
          : `Place ${line.position} of the chain stands where place ${expected} belongs.`,
      );
    } else if (linkOf(previous, line.digest) !== line.hash) {
      tell("altered", `The chain is broken at place ${line.position}, execution ${line.number}.`);
    }
    leaves.set(leafOf(job.id, line.position, line.hash), line.position);
    previous = line.hash;
    expected = line.position + 1;
  }
  const last = lines.at(-1);
  if ((job.chain?.length ?? 0) > (last?.position ?? 0))
    tell("missing", `The chain ends at place ${last?.position ?? 0}; job.json tells of ${job.chain.length}.`);
  if (known) {
    const [holds] = lines.filter(({ hash }) => hash === known.toLowerCase());
    const day = lineTexts(zip.read("chain/days.jsonl")?.bytes).find((text) =>
      text.includes(known.toLowerCase()),
    );
    if (holds) notes.push(`The hash you gave is that of place ${holds.position} of this chain.`);
    else if (!day) tell("altered", "The hash you gave stands nowhere in this chain: it is another one.");
  }

  // What each execution was.
  const digests = new Map(lines.map((line) => [line.digest, line.number]));
  const owners = new Map<string, number>();
  const sealed = new Map<number, Statement>();
  for (const line of lines) {
    const name = `executions/${padded(line.number)}.seal`;
    accounted.add(name);
    const seal = zip.read(name);
    if (!seal) {
      if (line.kept) tell("missing", `Execution ${line.number}: all that was kept of it is missing.`);
      continue;
    }
    const digest = seal.bytes ? sha256(seal.bytes) : "";
    if (digest !== line.digest) {
      const other = digests.get(digest);
      tell(
        "altered",
        other === undefined
          ? `Execution ${line.number}: what was recorded of it was altered.`
          : `Execution ${line.number}: what stands there is execution ${other}; the two were exchanged.`,
      );
      continue;
    }
    const statement = parse<Statement>(seal.bytes);
    if (!statement?.parts || statement.job !== job.id || statement.number !== line.number) {
      tell("altered", `Execution ${line.number}: its seal is that of another job or execution.`);
      continue;
    }
    sealed.set(line.number, statement);
    for (const hash of Object.values(statement.parts)) if (!owners.has(hash)) owners.set(hash, line.number);
  }
  let parts = 0;
  for (const [number, statement] of sealed) {
    const captured = isWacz ? fromWarc(zip, number) : fromFiles(zip, number);
    for (const name of captured.names) accounted.add(name);
    const record = parse<Record<string, unknown>>(captured.record);
    if (!record) tell("missing", `Execution ${number}: its record is missing or cannot be read.`);
    else {
      const wrong = differences(record, statement);
      if (wrong.length > 0)
        tell(
          "altered",
          `Execution ${number}: its record says another ${wrong.join(", another ")} than was sealed.`,
        );
    }
    const found: Partial<Record<SealedPart, string | Buffer | null>> = {
      ...captured.parts,
      ...readable(captured.parts.facts),
      ...recorded(record, statement),
    };
    for (const [part, hash] of Object.entries(statement.parts) as [SealedPart, string][]) {
      const bytes = found[part];
      const now =
        bytes === undefined ? undefined : part === "picture" ? hashPicture(bytes) : sha256(bytes ?? "");
      const name = `the ${partNames[part]}`;
      // Its words and headers stand in the same file: what was altered there is said once, by its name.
      if (part === "facts" && now !== undefined && now !== hash) {
        const told = (["text", "headers"] as const).some((inner) =>
          isOther(found[inner], statement.parts[inner]),
        );
        if (told) continue;
      }
      if (now === hash) parts++;
      else if (now === undefined && part === "log" && record?.logGone)
        notes.push(`Execution ${number}: the log is not kept any more; its hash is.`);
      else if (now === undefined) tell("missing", `Execution ${number}: ${name} is missing.`);
      else {
        const owner = owners.get(now);
        const whose = owner !== undefined && owner !== number ? `: it is that of execution ${owner}` : "";
        tell("altered", `Execution ${number}: ${name} was altered${whose}.`);
      }
    }
  }

  // Files that nothing vouches for.
  const standard = /^(datapackage(-digest)?\.json|pages\/pages\.jsonl|indexes\/index\.cdx)$/;
  for (const name of zip.names) {
    if (accounted.has(name)) {
      const isSealed = name.startsWith("executions/") || name.startsWith("archive/");
      if (!isSealed && zip.read(name)?.sound === false) tell("altered", `${name} is damaged.`);
    } else if (isWacz && standard.test(name)) {
      if (zip.read(name)?.sound === false) tell("altered", `${name} is damaged.`);
    } else if (/^(executions|archive)\//.test(name)) {
      const number = Number(/\d+/.exec(name)?.[0]);
      const isUnsealed =
        name.endsWith(".json") && parse<{ seal: unknown }>(zip.read(name)?.bytes)?.seal === null;
      if (isUnsealed) notes.push(`Execution ${number} has not joined the chain yet: nothing vouches for it.`);
      else if (!isBeside(zip, name) && !lines.some((line) => line.number === number && problems.length > 0))
        tell("added", `${name} belongs to no sealed execution.`);
    } else tell("added", `${name} is no part of an export.`);
  }

  checkDays(zip, leaves, tell, notes);
  const gone = lines.filter(({ number, kept }) => !kept && !sealed.has(number)).length;
  if (gone > 0)
    notes.push(
      `${count(gone, "execution is", "executions are")} not kept any more; ${gone === 1 ? "its digest stands" : "their digests stand"} in the chain.`,
    );
  notes.unshift(
    `${count(lines.length, "execution", "executions")} of ${String(job.url)} in the chain, ${sealed.size} with what was captured: ${count(parts, "part", "parts")} as sealed.`,
  );
  if (last) notes.push(`The chain ends at place ${last.position} with ${last.hash}.`);
  return { intact: problems.length === 0, problems, notes };
}

const partNames: Record<SealedPart, string> = {
  picture: "picture",
  html: "HTML",
  response: "response",
  facts: "file of facts",
  text: "text",
  headers: "list of headers",
  verdict: "verdict",
  log: "log",
};

const padded = (number: number) => String(number).padStart(6, "0");
const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
const places = (from: number, to: number) =>
  from === to ? `Place ${from} is` : `Places ${from} to ${to} are`;
const isOther = (bytes: string | Uint8Array | null | undefined, hash?: string) =>
  hash !== undefined && (bytes === undefined || bytes === null || sha256(bytes) !== hash);

/** A file of an execution that is not sealed yet stands beside its record. */
function isBeside(zip: Archive, name: string): boolean {
  const record = parse<{ seal: unknown }>(zip.read(`executions/${/\d+/.exec(name)?.[0]}.json`)?.bytes);
  return record !== undefined && record.seal === null;
}

/** What the record says otherwise than the seal. */
export function differences(record: Record<string, unknown>, statement: Statement): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["id", record.id, statement.execution],
    ["number", record.index, statement.number],
    ["time", record.createdAt, statement.at],
    ["status", record.status_code, statement.status],
    ["word on whether it changed", record.changed, statement.changed],
    ["severity", record.severity, statement.severity],
    ["similarity", record.similarity, statement.similarity],
    ["summary", record.summary, statement.summary],
    ["error", record.error, statement.error],
    ...(statement.values === undefined
      ? []
      : [
          ["followed value", canonicalJson(record.values), canonicalJson(statement.values)] as [
            string,
            string,
            string,
          ],
        ]),
  ];
  return pairs.filter(([, now, then]) => now !== then).map(([what]) => what);
}

/** Text and headers stand in the file of facts. */
function readable(facts: Buffer | null | undefined): { text?: string | null; headers?: string | null } {
  if (facts === undefined) return {};
  const parsed = parse<{ text: { text: string }[]; headers: unknown }>(facts);
  if (!Array.isArray(parsed?.text)) return { text: null, headers: null };
  return { text: textOf(parsed), headers: canonicalJson(parsed.headers) };
}

/** Verdict and log stand in the record. */
function recorded(record: Record<string, unknown> | undefined, { logLines }: Statement) {
  const log = record?.log;
  return {
    ...(record?.verdict ? { verdict: canonicalJson(record.verdict) } : {}),
    ...(Array.isArray(log) && log.length >= logLines ? { log: canonicalJson(log.slice(0, logLines)) } : {}),
  };
}

type Captured = {
  names: string[];
  record: Buffer | null | undefined;
  parts: Partial<Record<SealedPart, Buffer | null>>;
};

function fromFiles(zip: Archive, number: number): Captured {
  const stem = `executions/${padded(number)}`;
  const files = { html: ".html.txt", response: ".response.bin", facts: ".facts.json", picture: ".png" };
  const parts: Captured["parts"] = {};
  for (const [part, ending] of Object.entries(files)) {
    const file = zip.read(stem + ending);
    if (file) parts[part as SealedPart] = file.bytes;
  }
  const names = [".json", ".seal", ...Object.values(files)].map((ending) => stem + ending);
  return { names, record: zip.read(`${stem}.json`)?.bytes, parts };
}

/** In a WACZ the captures are records of a WARC, each naming its part. */
function fromWarc(zip: Archive, number: number): Captured {
  const stem = `executions/${padded(number)}`;
  const archive = `archive/${padded(number)}.warc.gz`;
  const parts: Captured["parts"] = {};
  const packed = zip.read(archive)?.bytes;
  if (packed) for (const [part, bytes] of warcParts(packed)) parts[part] = bytes;
  return { names: [`${stem}.json`, `${stem}.seal`, archive], record: zip.read(`${stem}.json`)?.bytes, parts };
}

function warcParts(packed: Buffer): [SealedPart, Buffer][] {
  const parts: [SealedPart, Buffer][] = [];
  try {
    const warc = gunzipSync(packed);
    for (let at = 0; at < warc.length; ) {
      const body = warc.indexOf("\r\n\r\n", at) + 4;
      const head = warc.subarray(at, body).toString();
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1]);
      if (body < 4 || !Number.isSafeInteger(length)) break;
      const part = /^watchglass-part: *(\w+)/im.exec(head)?.[1] as SealedPart | undefined;
      const block = warc.subarray(body, body + length);
      const isHttp = /^warc-type: *response/im.test(head);
      if (part) parts.push([part, isHttp ? block.subarray(block.indexOf("\r\n\r\n") + 4) : block]);
      at = body + length + 4;
    }
  } catch {
    // What cannot be unpacked is missing.
  }
  return parts;
}

/** The days that vouch for the chain, and the stamps that vouch for the days. */
function checkDays(
  zip: Archive,
  leaves: Map<string, number>,
  tell: (problem: Problem, text: string) => void,
  notes: string[],
): void {
  if (!zip.has("chain/days.jsonl")) return tell("missing", "The file of days, chain/days.jsonl, is missing.");
  let before: { day: string; hash: string } | undefined;
  let stamped = 0;
  let vouched = 0;
  for (const text of lineTexts(zip.read("chain/days.jsonl")?.bytes)) {
    const line = parse<DayLine>(text);
    const day = line && parse<DayStatement>(line.statement);
    if (!line || !day || !Array.isArray(day.heads)) {
      tell("altered", "A line of chain/days.jsonl cannot be read.");
      continue;
    }
    if (sha256(line.statement) !== line.hash || day.day !== line.day)
      tell("altered", `The head of ${line.day} was altered.`);
    else if (before && day.previous !== before.hash)
      tell(
        "altered",
        `The head of ${line.day} does not follow that of ${before.day}: a day between was taken out or altered.`,
      );
    const position = day.heads.map((head) => leaves.get(head)).find((found) => found !== undefined);
    if (position === undefined)
      tell("altered", `The head of ${line.day} is that of another chain than this one.`);
    else if (position < vouched)
      tell("altered", `The head of ${line.day} stands before that of the day before.`);
    vouched = Math.max(vouched, position ?? 0);
    if (line.stamp) {
      const stamp = readStamp(Buffer.from(line.stamp, "base64"), line.hash);
      if ("problem" in stamp) tell("altered", `The stamp of ${line.day} does not hold: ${stamp.problem}`);
      else {
        stamped++;
        notes.push(`${line.day}: head ${line.hash}, stamped ${stamp.at} by ${stamp.authority}.`);
      }
    } else notes.push(`${line.day}: head ${line.hash}, not stamped.`);
    before = line;
  }
  if (vouched > 0)
    notes.push(
      stamped > 0
        ? `The days vouch for places 1 to ${vouched}. Whether you trust who stamped them is yours to say.`
        : `The days vouch for places 1 to ${vouched}. None is stamped: compare a head with one that was mailed at the time.`,
    );
}

/** Reads an RFC 3161 token and checks that it stamps this hash. */
export function readStamp(
  token: Uint8Array,
  hash: string,
): { at: string; authority: string; nonce: string | null } | { problem: string } {
  try {
    return openStamp(Buffer.from(token), hash);
  } catch {
    return { problem: "it cannot be read." };
  }
}

type Der = { tag: number; bytes: Buffer; raw: Buffer };

/** The elements of a DER encoding, one after the other. */
function der(bytes: Buffer): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    let length = bytes.readUInt8(at + 1);
    let start = at + 2;
    if (length > 0x80) {
      const size = length - 0x80;
      length = bytes.readUIntBE(start, size);
      start += size;
    }
    if (length === 0x80 || start + length > bytes.length) throw new Error("not DER");
    found.push({
      tag: bytes.readUInt8(at),
      bytes: bytes.subarray(start, start + length),
      raw: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return found;
}

const oids = {
  "2a864886f70d010702": "signedData",
  "2a864886f70d0109100104": "tstInfo",
  "2a864886f70d010904": "messageDigest",
  "2a864886f70d010910020c": "signingCertificate",
  "2a864886f70d010910022f": "signingCertificateV2",
  "2a864886f70d01010a": "rsa-pss",
  "2b0e03021a": "sha1",
  "608648016503040201": "sha256",
  "608648016503040202": "sha384",
  "608648016503040203": "sha512",
} as Record<string, string>;
const oid = (part: Der | undefined) => oids[part?.bytes.toString("hex") ?? ""] ?? "";
const inside = (part: Der | undefined) => (part ? der(part.bytes) : []);
const digestOf = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest();

function openStamp(token: Buffer, hash: string): ReturnType<typeof readStamp> {
  const [type, wrapped] = inside(der(token)[0]);
  if (oid(type) !== "signedData") return { problem: "it is no signed message." };
  const signed = inside(inside(wrapped)[0]);
  const [contentType, content] = inside(signed[2]);
  const info = inside(content)[0]?.bytes;
  if (oid(contentType) !== "tstInfo" || !info) return { problem: "it is no time stamp." };
  const fields = inside(der(info)[0]);
  const [algorithm, imprint] = inside(fields[2]);
  if (oid(inside(algorithm)[0]) !== "sha256" || imprint?.bytes.toString("hex") !== hash)
    return { problem: "it stamps something else." };
  const certificates = inside(signed.find(({ tag }) => tag === 0xa0)).map(
    ({ raw }) => new X509Certificate(raw),
  );
  const signer = inside(inside(signed.at(-1))[0]);
  const name = oid(inside(signer[2])[0]);
  const attributes = signer.find(({ tag }) => tag === 0xa0);
  const signature = signer.filter(({ tag }) => tag === 0x04).at(-1);
  if (!attributes || !signature || !name) return { problem: "it is not signed in a way that is known." };
  const attribute = (wanted: string) =>
    inside(inside(attributes).find((one) => oid(inside(one)[0]) === wanted)).at(1);
  const digest = inside(attribute("messageDigest"))[0]?.bytes;
  if (!digest?.equals(digestOf(name, info))) return { problem: "its content was altered." };
  const certificate = certificates.find((one) => isSigner(one, attribute));
  if (!certificate) return { problem: "the certificate of its authority is not in it." };
  const scheme = oid(inside(signer[signer.indexOf(signature) - 1])[0]);
  const check = createVerify(name);
  check.update(Buffer.concat([Buffer.from([0x31]), attributes.raw.subarray(1)]));
  const key =
    scheme === "rsa-pss"
      ? { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING }
      : certificate.publicKey;
  if (!check.verify(key, signature.bytes)) return { problem: "its signature does not hold." };
  if (!certificate.keyUsage?.includes("1.3.6.1.5.5.7.3.8"))
    return { problem: "its certificate is not one for time stamps." };
  const time = fields[4]?.bytes.toString("latin1") ?? "";
  const at = time.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, "$1-$2-$3T$4:$5:$6");
  const moment = Date.parse(at);
  if (!(moment >= Date.parse(certificate.validFrom) && moment <= Date.parse(certificate.validTo)))
    return { problem: "its certificate was not valid then." };
  const nonce = fields.slice(5).find(({ tag }) => tag === 0x02);
  return {
    at,
    authority: certificate.subject.replaceAll("\n", ", "),
    nonce: nonce?.bytes.toString("hex").replace(/^00(?=[89a-f])/, "") ?? null,
  };
}

/** The certificate that the signed attributes name by its hash. */
function isSigner(certificate: X509Certificate, attribute: (name: string) => Der | undefined): boolean {
  const newer = attribute("signingCertificateV2");
  const id = inside(inside(inside(inside(newer ?? attribute("signingCertificate"))[0])[0])[0]);
  const named = id.find(({ tag }) => tag === 0x04)?.bytes;
  const given = id[0]?.tag === 0x30 ? oid(inside(id[0])[0]) : newer ? "sha256" : "sha1";
  return named?.equals(digestOf(given || "sha256", certificate.raw)) ?? false;
}

/** A picture's size and pixels, however its file was compressed. */
function hashPicture(png: Buffer | string | null): string {
  try {
    return Buffer.isBuffer(png) ? pixelsOf(png) : "";
  } catch {
    return "";
  }
}

function pixelsOf(png: Buffer): string {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png.readUInt8(25)];
  if (!channels || png.readUInt8(24) !== 8 || png.readUInt8(28) !== 0) throw new Error("another sort of PNG");
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const hash = createHash("sha256").update(`${width}x${height}x${channels}\n`);
  let above = Buffer.alloc(stride);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    const filter = raw.readUInt8(start);
    const line = raw.subarray(start + 1, start + 1 + stride);
    if (filter > 0) unfilter(filter, line, above, channels);
    hash.update(line);
    above = line;
  }
  return hash.digest("hex");
}

function unfilter(filter: number, line: Buffer, above: Buffer, step: number): void {
  for (let i = 0; i < line.length; i++) {
    const left = i < step ? 0 : (line[i - step] ?? 0);
    const up = above[i] ?? 0;
    const corner = i < step ? 0 : (above[i - step] ?? 0);
    const guess = left + up - corner;
    const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
    const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
    line[i] = (line[i] ?? 0) + ([0, left, up, (left + up) >> 1, paeth][filter] ?? 0);
  }
}

function parse<T>(text: string | Uint8Array | null | undefined): T | undefined {
  try {
    return text
      ? (JSON.parse(typeof text === "string" ? text : Buffer.from(text).toString()) as T)
      : undefined;
  } catch {
    return undefined;
  }
}

const lineTexts = (bytes: Buffer | null | undefined) => bytes?.toString().split("\n").filter(Boolean) ?? [];

/** A ZIP's list of files; each is read when it is asked for. */
function openZip(file: number): Archive {
  const { size } = fstatSync(file);
  const take = (offset: number, length: number) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
    readSync(file, bytes, 0, bytes.length, offset);
    return bytes;
  };
  const tail = take(Math.max(0, size - 65_700), 65_700);
  const end = tail.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (take(0, 2).toString() !== "PK") throw new Foreign("It is not a ZIP or WACZ file.");
  if (end < 0) throw new Foreign("It is a ZIP whose end is missing: the download broke off, or it was cut.");
  const entries = new Map<string, Entry>();
  const doubled: string[] = [];
  try {
    const large = tail.lastIndexOf(Buffer.from("PK\x06\x06", "latin1"), end);
    const length = large < 0 ? tail.readUInt32LE(end + 12) : Number(tail.readBigUInt64LE(large + 40));
    const start = large < 0 ? tail.readUInt32LE(end + 16) : Number(tail.readBigUInt64LE(large + 48));
    const list = take(start, length);
    for (let at = 0; at < list.length; ) {
      if (list.readUInt32LE(at) !== 0x02014b50) throw new Error("no entry");
      const [name, extra, comment] = [28, 30, 32].map((field) => list.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ];
      const title = list.toString("utf8", at + 46, at + 46 + name);
      const near = list.readUInt32LE(at + 42);
      const offset = near === 0xffffffff ? Number(list.readBigUInt64LE(at + 46 + name + 4)) : near;
      if (entries.has(title)) doubled.push(title);
      entries.set(title, {
        method: list.readUInt16LE(at + 10),
        crc: list.readUInt32LE(at + 16),
        packed: list.readUInt32LE(at + 20),
        size: list.readUInt32LE(at + 24),
        offset,
      });
      at += 46 + name + extra + comment;
    }
  } catch {
    throw new Foreign("It is a ZIP whose list of files is damaged.");
  }
  return {
    names: [...entries.keys()],
    doubled,
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      try {
        const head = take(entry.offset, 30);
        const packed = take(entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), entry.packed);
        const bytes =
          entry.method === 8 ? inflateRawSync(packed, { maxOutputLength: entry.size || 1 }) : packed;
        return { bytes, sound: bytes.length === entry.size && crc32(bytes) === entry.crc };
      } catch {
        return { bytes: null, sound: false };
      }
    },
  };
}

/** The command: says what was found; 0 intact, 1 not, 2 no export. */
export function main(args: string[], say: (line: string) => void): number {
  const at = args.indexOf("--head");
  const known = at < 0 ? undefined : args[at + 1];
  const [path] = args.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  if (!path || (at >= 0 && !/^[\da-f]{64}$/i.test(known ?? ""))) {
    say("Say which file to check: node verify.mjs FILE [--head HASH]. HASH is 64 hexadecimal digits.");
    return 2;
  }
  try {
    const { intact, problems, notes } = verify(path, known);
    for (const { problem, text } of problems) say(`${problem.toUpperCase()}  ${text}`);
    for (const note of notes) say(note);
    say(
      intact
        ? "INTACT: everything in this export is as it was sealed."
        : `NOT INTACT: ${count(problems.length, "thing is", "things are")} not as sealed.`,
    );
    return intact ? 0 : 1;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof Foreign) say(`This file cannot be checked. ${error.message}`);
    else if (code === "ENOENT") say("There is no such file.");
    else if (code === "EISDIR") say("This is a folder: check the ZIP or WACZ file itself.");
    else throw error;
    return 2;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`));
