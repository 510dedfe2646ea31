import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, sign, verify as verifySignature } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { crc32, deflateRawSync, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { Evidence } from "#contract/evidence.ts";
import { buildVerifier } from "#evidence/build-verifier.ts";
import { makeDailySeals } from "#evidence/daily-seal.ts";
import { type ViewRecord, viewArticle, viewPage } from "#evidence/export-view.ts";
import { openStamps } from "#evidence/request-stamp.ts";
import {
  type ChainLine,
  type DayLine,
  type DayStatement,
  firstLink,
  hashText,
  type KeyLine,
  leafOf,
  linkOf,
  type Origin,
  type Statement,
} from "#evidence/seal-format.ts";
import { sendDailySeal } from "#evidence/send-daily-seal.ts";
import { openSigningKey, rotateSigningKey, type SigningKey } from "#evidence/signing-key.ts";
import { checkOrigin } from "#evidence/verify/check-origins.ts";
import { main } from "#evidence/verify/main.ts";
import { readStamp } from "#evidence/verify/read-stamp.ts";
import { indexLine, warcRecordsOf, writeIndex, writeWarcRecord } from "#evidence/warc-format.ts";
import { openLockedBucket } from "#storage/locked-bucket.ts";
import { centralLine, dosTime, endRecord, type ListedEntry, localHead } from "#zip/zip-records.ts";
import {
  ExportFiles,
  joinPng,
  packExport,
  signAgain,
  splitPng,
  unpackExport,
} from "../testing/export-files.ts";
import { sendImport } from "../testing/send-import.ts";
import { startStampAuthority } from "../testing/stamp-authority.ts";

// Forgeries of exports, made with the verifier's source at hand. Unless a row says otherwise, the forger also holds the
// installation's signing key and signs the altered files again.

let authority: Awaited<ReturnType<typeof startStampAuthority>>;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let key: SigningKey;
let folder = "";
let builtFile: ReturnType<typeof buildVerifier>;
let builtVerifier: { main: typeof main };
const originals = { zip: Buffer.alloc(0) as Buffer, wacz: Buffer.alloc(0) as Buffer };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-forged-"));
  const built = join(folder, "built-verifier.mjs");
  builtFile = buildVerifier();
  writeFileSync(built, builtFile);
  builtVerifier = (await import(pathToFileURL(built).href)) as typeof builtVerifier;
  authority = await startStampAuthority();
  engine = await startTestEngine({ environment: { TIMESTAMP_URL: authority.url } });
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, shade: 200 });
  const jobId = await person.createJob();
  await person.execution(jobId, 1);
  for (let i = 2; i <= 4; i++) {
    Object.assign(engine.site.page, { html: html(...story, `Paragraph ${i}.`), shade: 200 + i });
    await person.run(jobId);
  }
  engine.site.page.failure = { kind: "dns", message: "The name does not exist." };
  await person.run(jobId);
  await makeDailySeals(engine.app.evidence, new Date(Date.now() + dayMs));
  await engine.waitFor("the stamp", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { stampedAt: string | null }[] }).days[0]?.stampedAt;
  });
  const read = async (format: string) =>
    (await person.call("GET", `/api/jobs/${jobId}/export?format=${format}`)).raw;
  originals.zip = await read("zip");
  originals.wacz = await read("wacz");
  key = await openSigningKey(engine.app.evidence);
});
afterAll(async () => {
  await engine.close();
  await authority.close();
  rmSync(folder, { recursive: true });
});

const isLong = process.env.TEST_SIZE === "long";

/** The verifier's lines about problems, its last line and exit code: as it is built for those who verify. */
function verifyExport(file: Buffer, args: string[] = [], verify = builtVerifier.main) {
  const path = join(folder, "export.zip");
  writeFileSync(path, file);
  const output: string[] = [];
  const code = verify([path, ...args], (line) => output.push(line), builtFile);
  const problems = output.filter((line) => /^(ALTERED|MISSING|ADDED) {2}/.test(line));
  return { code, problems, output, last: output.at(-1) };
}
/** The same by the verifier's modules. */
const verifyByModules = (file: Buffer, args: string[] = []) => verifyExport(file, args, main);

/** By the built verifier, and in the long set by the modules too, which must agree. */
function verifyForged(file: Buffer, args: string[] = []) {
  const verified = verifyExport(file, args);
  for (const verify of isLong ? [verifyByModules] : []) expect(verify(file, args)).toEqual(verified);
  return verified;
}

/** The files of a genuine export, unpacked once. */
const unpacked = new Map<"zip" | "wacz", ExportFiles>();
function unpackOriginal(format: "zip" | "wacz"): ExportFiles {
  const files = unpacked.get(format) ?? unpackExport(originals[format]);
  unpacked.set(format, files);
  // Copies, because a forger changes bytes in place.
  const copy = new ExportFiles([...files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
  copy.dates = new Map(files.dates);
  return copy;
}

const dayMs = 86_400_000;
const site = "http://127.0.0.1:8080";
const oldExports = new URL("../../evidence/testing/", import.meta.url);
const seals = "chain/seals-000001.jsonl";
const days = "chain/days.jsonl";
const keys = "chain/keys.jsonl";
const stem = (number: number) => `executions/00000${number}`;

type LooseRecord = Record<string, unknown> & {
  verdict: Record<string, unknown> | null;
  log: { meta: string }[];
};
const changeRecord = (f: ExportFiles, number: number, update: (record: LooseRecord) => unknown) => {
  const record = f.json<LooseRecord>(`${stem(number)}.json`);
  update(record);
  f.put(`${stem(number)}.json`, record, 2);
};
const changeJob = (f: ExportFiles, update: (job: Record<string, unknown>) => unknown) => {
  const job = f.json<Record<string, unknown>>("job.json");
  update(job);
  f.put("job.json", job, 2);
};
const changeLines = <T>(f: ExportFiles, name: string, update: (line: T, at: number) => unknown) => {
  const list = f.lines<T>(name);
  for (const [at, line] of list.entries()) update(line, at);
  f.putLines(name, list);
};
const flip = (f: ExportFiles, name: string) => {
  const bytes = f.get(name);
  if (bytes) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
};
const swap = (f: ExportFiles, a: string, b: string) => {
  const [one, two] = [f.get(a), f.get(b)];
  if (one && two) f.set(a, two).set(b, one);
};
const swapDates = (f: ExportFiles, a: string, b: string) => {
  const [one, two] = [f.dates.get(a), f.dates.get(b)];
  if (one && two) f.dates.set(a, two).set(b, one);
};
const exchange = (f: ExportFiles, a: number, b: number) => {
  for (const ending of ["json", "seal", "html.txt", "response.bin", "facts.json", "png"]) {
    const [one, two] = [`${stem(a)}.${ending}`, `${stem(b)}.${ending}`];
    swap(f, one, two);
    swapDates(f, one, two);
  }
};
const removeExecution = (f: ExportFiles, number: number) => {
  for (const name of f.keys()) if (name.startsWith(`${stem(number)}.`)) f.delete(name);
};
const changePng = (
  f: ExportFiles,
  update: (chunks: { type: string; data: Buffer }[]) => { type: string; data: Buffer }[],
) => f.set(`${stem(2)}.png`, joinPng(update(splitPng(f.get(`${stem(2)}.png`) ?? Buffer.of()))));

/** Alters an execution's summary in its record and seal. */
const reseal = (
  f: ExportFiles,
  number: number,
  change: Partial<Statement> = { summary: "Nothing happened" },
) => {
  f.put(`${stem(number)}.seal`, { ...f.json<Statement>(`${stem(number)}.seal`), ...change });
  const { at, summary } = f.json<Statement>(`${stem(number)}.seal`);
  changeRecord(f, number, (record) => Object.assign(record, { createdAt: at, summary }));
};
/** Computes the chain, the end that job.json names, and the pages of an altered export again. */
const rechain = (f: ExportFiles) => {
  let previous = firstLink(f.json<{ id: string }>("job.json").id);
  changeLines<ChainLine>(f, seals, (line) => {
    line.digest = hashText(f.text(`${stem(line.number)}.seal`));
    line.hash = previous = linkOf(previous, line.digest);
    changeRecord(f, line.number, (record) => (record.seal = { position: line.position, hash: line.hash }));
  });
  changeJob(f, (job) => Object.assign(job.chain as object, { head: previous }));
};
const changeDay = (f: ExportFiles, update: (day: DayStatement) => unknown, removeStamp = true) =>
  changeLines<DayLine>(f, days, (line) => {
    const day = JSON.parse(line.statement) as DayStatement;
    update(day);
    line.day = day.day;
    line.statement = JSON.stringify(day);
    line.hash = hashText(line.statement);
    line.signature = key.sign(line.statement).toString("base64");
    if (removeStamp) line.stamp = null;
  });
/** Draws the page of an altered export again, as the program that made it does. */
const redraw = (f: ExportFiles) => {
  const records = [...f.keys()]
    .filter((name) => /^executions\/\d+\.json$/.test(name))
    .map((name) => ({ stem: name.slice(0, -".json".length), record: f.json<ViewRecord>(name) }))
    .toSorted((a, b) => b.record.index - a.record.index);
  const articles = records.map(({ stem: path, record }) =>
    viewArticle(record, { hasCapture: f.has(`${path}.html.txt`), hasPicture: f.has(`${path}.png`) }),
  );
  const { html: page } = viewPage(f.json("job.json"), articles, { page: 1, isLast: true });
  f.set("index.html", Buffer.from(page));
};
/** Alters what the installation's own key says of itself; it signs that itself. */
const changeKey = (f: ExportFiles, change: object) =>
  changeLines<KeyLine>(f, keys, (line) => {
    line.statement = JSON.stringify({ ...(JSON.parse(line.statement) as object), ...change });
    line.signature = key.sign(line.statement).toString("base64");
  });
/** Gives files the date of another export, or those of an execution another date. */
const redate = (f: ExportFiles, date: string, number?: number) => {
  for (const name of f.keys())
    if (number === undefined ? !name.startsWith("executions/") : name.startsWith(`${stem(number)}.`))
      f.dates.set(name, new Date(date));
};
/** Seals altered executions, the chain and the day anew, and draws the page. */
const resealAll = (f: ExportFiles) => {
  rechain(f);
  changeDay(f, (day) => (day.heads = [leafNow(f)]));
  redraw(f);
};
/** Has the day of an altered export stamped by an authority of the forger's. */
const stampAgain = async (f: ExportFiles, by: { url: string }) => {
  const [line] = f.lines<DayLine>(days);
  const request = openStamps(engine.app.evidence.http, by.url);
  const stamp = await request(Buffer.from(line?.hash ?? "", "hex"));
  if (!stamp.ok) throw new Error(stamp.problem);
  changeLines<DayLine>(f, days, (one) => (one.stamp = stamp.token.toString("base64")));
};
const leafNow = (f: ExportFiles) => {
  const last = f.lines<ChainLine>(seals).at(-1);
  return leafOf(f.json<{ id: string }>("job.json").id, last?.position ?? 0, last?.hash ?? "");
};

const onePixel = (f: ExportFiles) =>
  sharp(f.get(`${stem(2)}.png`))
    .composite([
      { input: { create: { width: 1, height: 1, channels: 3, background: "red" } }, left: 3, top: 4 },
    ])
    .removeAlpha()
    .png()
    .toBuffer();
const flipStamp = (stamp: string | null) => {
  const bytes = Buffer.from(stamp ?? "", "base64");
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
  return bytes.toString("base64");
};

/** Another installation's key. */
function inventKey(): Pick<SigningKey, "pem" | "sign"> & {
  line: (previous?: string, since?: Date) => KeyLine;
} {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signText = (text: string | Uint8Array) => sign(null, Buffer.from(text), privateKey);
  return {
    pem: publicKey.export({ format: "pem", type: "spki" }).toString(),
    sign: signText,
    // By default after the day, which the tests seal a day early.
    line(previous, since = new Date(Date.now() + 2 * dayMs)) {
      const statement = JSON.stringify({
        watchglass: "key 1",
        number: previous ? (JSON.parse(previous) as { number: number }).number + 1 : 1,
        key: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
        since: since.toISOString(),
        previous: previous ? hashText(previous) : null,
      });
      const signature = signText(statement).toString("base64");
      return { statement, signature, endorsement: previous ? signature : null };
    },
  };
}

type Forgery = {
  forge: (files: ExportFiles) => unknown;
  /** The exact lines that the verifier prints. */
  finds: string[];
  /** Whether others follow, about what was altered along with it. */
  more?: true;
  /** Whether the forger doesn't hold the key of the installation. */
  withoutKey?: true;
  args?: () => string[];
};
const pageAltered = "ALTERED  index.html doesn't match the sealed executions.";
const sealedDay = () => unpackOriginal("zip").lines<DayLine>(days)[0]?.day ?? "";
const dayAfter = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
const stampedDay = () => {
  const [line] = unpackOriginal("zip").lines<DayLine>(days);
  const stamp = readStamp(Buffer.from(line?.stamp ?? "", "base64"), line?.hash ?? "");
  return "at" in stamp ? stamp.at.slice(0, 10) : stamp.problem;
};
const trueHead = () => ["--head", unpackOriginal("zip").lines<DayLine>(days)[0]?.hash ?? ""];

const forgeries: Record<string, Forgery> = {
  "a flipped byte of the HTML": {
    forge: (f) => flip(f, `${stem(2)}.html.txt`),
    finds: ["ALTERED  Execution 2: the HTML was altered."],
  },
  "a flipped byte of the response": {
    forge: (f) => flip(f, `${stem(2)}.response.bin`),
    finds: ["ALTERED  Execution 2: the response was altered."],
  },
  "a picture of which one pixel is replaced": {
    forge: async (f) => f.set(`${stem(2)}.png`, await onePixel(f)),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "a damaged picture": {
    forge: (f) => flip(f, `${stem(3)}.png`),
    finds: ["ALTERED  Execution 3: the picture was altered."],
  },
  "a missing picture": {
    forge: (f) => f.delete(`${stem(3)}.png`),
    finds: ["MISSING  Execution 3: the picture is missing.", pageAltered],
  },
  "frames of an animation over the untouched picture": {
    forge: (f) =>
      changePng(f, ([head, ...rest]) => [
        ...(head ? [head] : []),
        { type: "acTL", data: Buffer.from("0000000100000000", "hex") },
        { type: "fcTL", data: Buffer.alloc(26) },
        ...rest.slice(0, -1),
        { type: "fdAT", data: deflateSync(Buffer.alloc(9)) },
        ...rest.slice(-1),
      ]),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "a text chunk in the picture": {
    forge: (f) =>
      changePng(f, (chunks) => chunks.toSpliced(1, 0, { type: "tEXt", data: Buffer.from("a\0b") })),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "a transparent color in the picture": {
    forge: (f) => changePng(f, (chunks) => chunks.toSpliced(1, 0, { type: "tRNS", data: Buffer.alloc(6) })),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "pixels of the picture that are not square": {
    forge: (f) =>
      changePng(f, (chunks) => [
        ...chunks.slice(0, 1),
        { type: "pHYs", data: Buffer.from("000000010000ffff01", "hex") },
        ...chunks.slice(1).filter(({ type }) => type !== "pHYs"),
      ]),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "bytes after the end of the picture": {
    forge: (f) =>
      f.set(`${stem(2)}.png`, Buffer.concat([f.get(`${stem(2)}.png`) ?? Buffer.of(), Buffer.alloc(12)])),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "bytes after the packed pixels of the picture": {
    forge: (f) =>
      changePng(f, (chunks) =>
        chunks.map(({ type, data }) => ({
          type,
          data: type === "IDAT" ? Buffer.concat([data, Buffer.from("x")]) : data,
        })),
      ),
    finds: ["ALTERED  Execution 2: the picture was altered."],
  },
  "a missing HTML file": {
    forge: (f) => f.delete(`${stem(1)}.html.txt`),
    finds: ["MISSING  Execution 1: the HTML is missing.", pageAltered],
  },
  "changed text of the page": {
    forge: (f) => f.replace(`${stem(2)}.facts.json`, "Sentence number one", "Sentence number six"),
    finds: ["ALTERED  Execution 2: the text was altered."],
  },
  "a changed header": {
    forge: (f) =>
      f.replace(`${stem(2)}.facts.json`, '["content-type","text/html"]', '["content-type","text/xml"]'),
    finds: ["ALTERED  Execution 2: the list of headers was altered."],
  },
  "a changed fact": {
    forge: (f) => f.replace(`${stem(2)}.facts.json`, '"title":"A page"', '"title":"B page"'),
    finds: ["ALTERED  Execution 2: the file of facts was altered."],
  },
  "a changed verdict": {
    forge: (f) => changeRecord(f, 2, (r) => Object.assign(r.verdict ?? {}, { similarity: 1 })),
    finds: ["ALTERED  Execution 2: the verdict was altered."],
  },
  "a missing verdict": {
    forge: (f) => changeRecord(f, 2, (r) => (r.verdict = null)),
    finds: ["MISSING  Execution 2: the verdict is missing.", pageAltered],
  },
  "a verdict where none was sealed": {
    forge: (f) => changeRecord(f, 1, (r) => (r.verdict = f.json<LooseRecord>(`${stem(2)}.json`).verdict)),
    finds: ["ADDED  Execution 1: the verdict was added: none was sealed.", pageAltered],
  },
  "a picture where none was sealed": {
    forge: (f) =>
      f
        .set(`${stem(5)}.png`, f.get(`${stem(4)}.png`) ?? Buffer.of())
        .dates.set(`${stem(5)}.png`, f.dates.get(`${stem(5)}.json`) ?? new Date()),
    finds: ["ADDED  Execution 5: the picture was added: none was sealed.", pageAltered],
  },
  "a changed log": {
    forge: (f) => changeRecord(f, 2, (r) => Object.assign(r.log[0] ?? {}, { meta: "Nothing" })),
    finds: ["ALTERED  Execution 2: the log was altered."],
  },
  "a changed time and summary": {
    forge: (f) =>
      changeRecord(f, 2, (r) =>
        Object.assign(r, { createdAt: "2020-01-01T00:00:00.000Z", summary: "Quiet" }),
      ),
    finds: ["ALTERED  Execution 2: its record differs from its seal: time, summary.", pageAltered],
  },
  "a changed duration": {
    forge: (f) => changeRecord(f, 2, (r) => (r.durationMs = 1)),
    finds: ["ALTERED  Execution 2: its record differs from its seal: duration."],
  },
  "a record that says it was imported": {
    forge: (f) =>
      changeRecord(
        f,
        2,
        (r) => (r.imported = { at: "2026-01-01T00:00:00.000Z", archive: "a".repeat(64), sealed: true }),
      ),
    finds: ["ALTERED  Execution 2: its record differs from its seal: import.", pageAltered],
  },
  "a record with another seal": {
    forge: (f) => changeRecord(f, 2, (r) => (r.seal = { position: 2, hash: "a".repeat(64) })),
    finds: ["ALTERED  Execution 2: its record differs from its seal: position in the chain.", pageAltered],
  },
  "a record that has a field twice": {
    forge: (f) => f.replace(`${stem(2)}.json`, '\n  "summary"', '\n  "summary": "Quiet",\n  "summary"'),
    finds: [
      "MISSING  Execution 2: its record is missing or cannot be read.",
      "MISSING  Execution 2: the verdict is missing.",
      "MISSING  Execution 2: the log is missing.",
      pageAltered,
    ],
  },
  "a record with a field of its own": {
    forge: (f) => changeRecord(f, 2, (r) => (r.remark = "Confirmed by a notary")),
    finds: ["ADDED  Execution 2: its record has fields that no check writes."],
  },
  "two executions exchanged": {
    forge: (f) => exchange(f, 2, 3),
    finds: [
      "ALTERED  Execution 2: in its place is execution 3; the two were swapped.",
      "ALTERED  Execution 3: in its place is execution 2; the two were swapped.",
      "ALTERED  index.html doesn't match the sealed executions.",
    ],
  },
  "two pictures exchanged": {
    forge: (f) => swap(f, `${stem(2)}.png`, `${stem(3)}.png`),
    finds: [
      "ALTERED  Execution 3: the picture was altered: it is that of execution 2.",
      "ALTERED  Execution 2: the picture was altered: it is that of execution 3.",
    ],
  },
  "a removed execution": {
    forge: (f) => removeExecution(f, 2),
    finds: ["MISSING  Execution 2: its seal is missing.", pageAltered],
  },
  "an execution that was removed from the chain too": {
    forge: (f) => {
      removeExecution(f, 2);
      f.putLines(
        seals,
        f.lines<ChainLine>(seals).filter(({ number }) => number !== 2),
      );
    },
    finds: ["MISSING  Position 2 is missing in the chain.", pageAltered],
  },
  "the newest execution cut off": {
    forge: (f) => {
      removeExecution(f, 5);
      f.putLines(seals, f.lines<ChainLine>(seals).slice(0, 4));
      const last = f.lines<ChainLine>(seals).at(-1);
      changeJob(f, (job) => (job.chain = { length: 4, head: last?.hash }));
    },
    finds: [pageAltered, "ALTERED  The daily fingerprint of TODAY belongs to another chain."],
  },
  "a chain in another order": {
    forge: (f) => f.putLines(seals, f.lines<ChainLine>(seals).toReversed()),
    finds: [
      "MISSING  Positions 1 to 4 are missing in the chain.",
      ...[4, 3, 2, 1].map(
        (place) => `ALTERED  Position ${place} of the chain is where position ${place + 2} belongs.`,
      ),
      "MISSING  The chain ends at position 1, but job.json says 5.",
    ],
  },
  "an execution that is in the chain twice": {
    forge: (f) =>
      changeLines<ChainLine>(f, seals, (line) =>
        Object.assign(line, line.number === 3 ? { number: 2, kept: false } : {}),
      ),
    finds: ["ALTERED  Execution 2 is in the chain twice."],
    more: true,
  },
  "a chain that says an execution is not kept": {
    forge: (f) => changeLines<ChainLine>(f, seals, (line) => (line.kept = line.number !== 2)),
    finds: ["ALTERED  Execution 2: its seal is there, but the chain says it is no longer stored."],
  },
  "an invented record of an execution that the chain says is not kept": {
    forge: (f) => {
      f.delete(`${stem(2)}.seal`);
      changeLines<ChainLine>(f, seals, (line) => (line.kept = line.number !== 2));
      changeRecord(f, 2, (r) => (r.summary = "Invented"));
      redraw(f);
    },
    finds: [
      "ADDED  Execution 2: its record is there, but the chain says it is no longer stored, so nothing proves it.",
    ],
  },
  "a seal with a field of its own": {
    forge: (f) => {
      reseal(f, 5, { notary: "Confirmed" } as object);
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f)]));
      redraw(f);
    },
    finds: ["ALTERED  Execution 5: its seal is not one that Watchglass writes."],
  },
  "an import hidden by a seal of version 1": {
    forge: (f) => {
      const first: Partial<Statement> = { ...f.json<Statement>(`${stem(5)}.seal`), watchglass: "seal 1" };
      for (const field of ["truncated", "durationMs", "attempts", "imported"] as const) delete first[field];
      f.put(`${stem(5)}.seal`, first);
      changeRecord(
        f,
        5,
        (r) => (r.imported = { at: "2026-01-01T00:00:00.000Z", archive: "a".repeat(64), sealed: true }),
      );
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f)]));
      redraw(f);
    },
    finds: [
      "ALTERED  Execution 5: its record differs from its seal: import.",
      "ALTERED  Execution 5 has a seal of an older version than execution 4, which it follows in the chain.",
    ],
  },
  "a line of the chain with a field of its own": {
    forge: (f) => changeLines<ChainLine>(f, seals, (line) => Object.assign(line, { note: "x" })),
    finds: ["ALTERED  A line of chain/seals-000001.jsonl cannot be read."],
    more: true,
  },
  "an unreadable line of the chain": {
    forge: (f) => f.set(seals, Buffer.concat([f.get(seals) ?? Buffer.of(), Buffer.from("{\n")])),
    finds: ["ALTERED  A line of chain/seals-000001.jsonl cannot be read."],
  },
  "the chain of another job": {
    forge: (f) => changeJob(f, (job) => (job.id = "00000000-0000-4000-8000-000000000000")),
    finds: [
      "ALTERED  The chain is broken at position 1, execution 1.",
      "ALTERED  Execution 1: its seal is that of another job or execution.",
    ],
    more: true,
  },
  "another end of the chain in job.json": {
    forge: (f) => changeJob(f, (job) => Object.assign(job.chain as object, { head: "a".repeat(64) })),
    finds: ["ALTERED  The end of the chain is not the one that job.json names."],
  },
  "a rewritten seal in an unchanged chain": {
    forge: (f) => reseal(f, 2),
    finds: ["ALTERED  Execution 2: its seal was altered.", pageAltered],
  },
  "a rewritten chain": {
    forge: (f) => {
      reseal(f, 2);
      rechain(f);
    },
    finds: [pageAltered, "ALTERED  The daily fingerprint of TODAY belongs to another chain."],
  },
  "a rewritten chain with rewritten days": {
    forge: (f) => {
      reseal(f, 2);
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f)]), false);
    },
    finds: [pageAltered, "ALTERED  The time stamp of TODAY isn't valid: it stamps something else."],
  },
  "a rewritten chain and the known fingerprint as the day before": {
    forge: (f) => {
      const truth = f.lines<DayLine>(days)[0]?.hash ?? "";
      reseal(f, 2);
      rechain(f);
      changeDay(f, (day) => {
        day.heads = [leafNow(f)];
        day.previous = truth;
      });
    },
    args: trueHead,
    finds: [
      pageAltered,
      "ALTERED  This chain doesn't contain the fingerprint you gave: it belongs to another chain.",
    ],
  },
  "a rewritten chain and the known fingerprint among the heads of a day": {
    forge: (f) => {
      const truth = f.lines<DayLine>(days)[0]?.hash ?? "";
      reseal(f, 2);
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f), truth].sort()));
    },
    args: trueHead,
    finds: [
      pageAltered,
      "ALTERED  This chain doesn't contain the fingerprint you gave: it belongs to another chain.",
    ],
  },
  "a rewritten chain before which the true day is kept": {
    forge: (f) => {
      const [truth] = f.lines<DayLine>(days);
      reseal(f, 2);
      rechain(f);
      changeDay(f, (day) =>
        Object.assign(day, {
          day: "2099-01-01",
          taken: "2099-01-02T00:00:00.000Z",
          previous: truth?.hash,
          heads: [leafNow(f)],
        }),
      );
      f.putLines(days, [truth, ...f.lines<DayLine>(days)]);
    },
    args: trueHead,
    finds: [
      pageAltered,
      "ALTERED  The daily fingerprint of TODAY belongs to another chain.",
      "ALTERED  This chain doesn't contain the fingerprint you gave: it belongs to another chain.",
    ],
  },
  "a day that covers the chain at two places": {
    forge: (f) => {
      const { id } = f.json<{ id: string }>("job.json");
      const [first] = f.lines<ChainLine>(seals);
      changeDay(f, (day) => day.heads.push(leafOf(id, 1, first?.hash ?? "")));
    },
    finds: ["ALTERED  The daily fingerprint of TODAY belongs to another chain."],
  },
  "a day from before what it covers": {
    forge: (f) =>
      changeDay(f, (day) => Object.assign(day, { day: "2020-01-01", taken: "2020-01-02T00:00:00.000Z" })),
    finds: ["ALTERED  The daily fingerprint of 2020-01-01 covers position 5, which was sealed later."],
  },
  "a day with an earlier date than when it was made": {
    forge: (f) => changeDay(f, (day) => (day.day = "2020-01-01")),
    finds: ["ALTERED  The daily fingerprint of 2020-01-01 was made on TOMORROW, which is not the day after."],
  },
  "a day with words after its time": {
    forge: (f) => changeDay(f, (day) => (day.taken = `${day.taken.slice(0, 10)} (before a notary)`)),
    finds: ["ALTERED  A line of chain/days.jsonl cannot be read."],
  },
  "a day of an older form, which needs no signature": {
    forge: (f) => {
      const [truth] = f.lines<DayLine>(days);
      changeDay(f, (day) => {
        Object.assign(day, {
          watchglass: "day 1",
          day: "2099-01-01",
          taken: "2099-01-02T00:00:00.000Z",
          previous: truth?.hash,
        });
        delete day.key;
      });
      changeLines<DayLine>(f, days, (line) => (line.signature = null));
      f.putLines(days, [truth, ...f.lines<DayLine>(days)]);
    },
    finds: ["ALTERED  The daily fingerprint of 2099-01-01 is of an older version than that of TODAY."],
  },
  "an execution put in as if it was sealed before those that it follows": {
    forge: (f) => {
      const old = "2020-01-01T00:00:00.000Z";
      reseal(f, 5, { at: old, sealed: old });
      redate(f, old, 5);
      resealAll(f);
    },
    finds: [
      "ALTERED  Execution 5 says that it was sealed before execution 4, which it follows in the chain.",
    ],
  },
  "an execution added as if it was there on an earlier day": {
    forge: (f) => {
      const fourth = f.lines<ChainLine>(seals)[3];
      const { id } = f.json<{ id: string }>("job.json");
      changeDay(f, (day) => (day.heads = [leafOf(id, 4, fourth?.hash ?? "")]));
      const [first] = f.lines<DayLine>(days);
      changeDay(f, (day) =>
        Object.assign(day, {
          day: "2099-01-01",
          taken: "2099-01-02T00:00:00.000Z",
          previous: first?.hash,
          heads: [leafNow(f)],
        }),
      );
      f.putLines(days, [first, ...f.lines<DayLine>(days)]);
    },
    finds: [
      "ALTERED  Execution 5 says that it was sealed before the daily fingerprint of TODAY, which does not cover it.",
    ],
  },
  "the newest execution hidden, so that a day can have an earlier date": {
    forge: (f) => {
      removeExecution(f, 5);
      changeLines<ChainLine>(f, seals, (line) => (line.kept = line.number !== 5));
      changeDay(f, (day) => Object.assign(day, { day: "2020-01-01", taken: "2020-01-02T00:00:00.000Z" }));
      redraw(f);
    },
    finds: ["ALTERED  The daily fingerprint of 2020-01-01 covers position 5, which was sealed later."],
  },
  "a stamp from before what it covers": {
    forge: async (f) => {
      const later = new Date(Date.now() + 3 * 3_600_000).toISOString();
      reseal(f, 5, { sealed: later });
      changeJob(f, (job) => (job.exported = later));
      redate(f, later);
      resealAll(f);
      await stampAgain(f, authority);
    },
    finds: [
      "ALTERED  The time stamp of TODAY isn't valid: it is older than execution 5, which the day covers.",
    ],
  },
  "a seal with a sentence in place of its time": {
    forge: (f) => {
      reseal(f, 5, { sealed: `${new Date().toISOString().slice(0, 10)} (INTACT, says a notary)` });
      resealAll(f);
    },
    finds: ["ALTERED  Execution 5: its seal is not one that Watchglass writes."],
  },
  "a seal with a sentence in place of an archive's fingerprint": {
    forge: (f) => {
      const imported = { at: "2026-01-01T00:00:00.000Z", archive: "that a notary has seen", origin: null };
      reseal(f, 5, { imported });
      changeRecord(f, 5, (r) => (r.imported = { ...imported, origin: undefined, sealed: false }));
      resealAll(f);
    },
    finds: ["ALTERED  Execution 5: its seal is not one that Watchglass writes."],
  },
  "a seal with a part of its own": {
    forge: (f) => {
      const { parts } = f.json<Statement>(`${stem(5)}.seal`);
      reseal(f, 5, { parts: { ...parts, notary: "a".repeat(64) } as Statement["parts"] });
      resealAll(f);
    },
    finds: ["ALTERED  Execution 5: its seal is not one that Watchglass writes."],
  },
  "an export that doesn't say when it was made, with any dates": {
    forge: (f) => {
      changeJob(f, (job) => delete job.exported);
      redate(f, "2020-01-01");
    },
    finds: ["ALTERED  job.json doesn't say when the export was made."],
  },
  "an export that says it was made before what it shows": {
    forge: (f) => {
      changeJob(f, (job) => (job.exported = "2020-01-01T00:00:00.000Z"));
      redate(f, "2020-01-01");
    },
    finds: [
      "ALTERED  job.json says that the export was made on 2020-01-01T00:00:00.000Z, before execution 1 was sealed.",
    ],
  },
  "a job.json without the end of the chain": {
    forge: (f) => changeJob(f, (job) => delete job.chain),
    finds: ["ALTERED  job.json lacks the job's name, its URL or the end of its chain."],
  },
  "a day that was taken out": {
    forge: (f) => {
      const [truth] = f.lines<DayLine>(days);
      changeDay(f, (day) => Object.assign(day, { day: "2099-01-02", previous: "a".repeat(64) }));
      f.putLines(days, [truth, ...f.lines<DayLine>(days)]);
    },
    finds: [
      "ALTERED  The daily fingerprint of 2099-01-02 does not follow that of TODAY: a day in between was removed or altered.",
    ],
  },
  "a day with another date": {
    forge: (f) => changeLines<DayLine>(f, days, (line) => (line.day = "2020-01-01")),
    finds: ["ALTERED  The daily fingerprint of 2020-01-01 was altered."],
  },
  "a day without its signature": {
    forge: (f) => changeLines<DayLine>(f, days, (line) => (line.signature = null)),
    finds: ["ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation."],
  },
  "a day of another key": {
    forge: (f) => changeDay(f, (day) => (day.key = "a".repeat(64))),
    finds: ["ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation."],
  },
  "a line of days that has a field twice": {
    forge: (f) => f.replace(days, '{"day":', '{"day":"2020-01-01","day":'),
    finds: ["ALTERED  A line of chain/days.jsonl cannot be read."],
  },
  "days in another form": {
    forge: (f) => changeLines<DayLine>(f, days, (line) => Object.assign(line, { sent: 7 })),
    finds: ["ALTERED  A line of chain/days.jsonl cannot be read."],
  },
  "an unreadable stamp": {
    forge: (f) =>
      changeLines<DayLine>(f, days, (line) => (line.stamp = Buffer.from("no").toString("base64"))),
    finds: ["ALTERED  The time stamp of TODAY isn't valid: it cannot be read."],
  },
  "a stamp with a flipped byte": {
    forge: (f) => changeLines<DayLine>(f, days, (line) => (line.stamp = flipStamp(line.stamp))),
    finds: ["ALTERED  The time stamp of TODAY isn't valid: its signature isn't valid."],
  },
  "something after a stamp": {
    forge: (f) =>
      changeLines<DayLine>(
        f,
        days,
        (line) =>
          (line.stamp = Buffer.concat([
            Buffer.from(line.stamp ?? "", "base64"),
            Buffer.from("0500", "hex"),
          ]).toString("base64")),
      ),
    finds: ["ALTERED  The time stamp of TODAY isn't valid: something follows it."],
  },
  "a removed file of days": {
    forge: (f) => f.delete(days),
    finds: ["MISSING  The list of days, chain/days.jsonl, is missing."],
  },
  "an execution that says it was made after it was sealed": {
    forge: (f) => {
      reseal(f, 5, { at: "2099-01-01T00:00:00.000Z" });
      f.dates.set(`${stem(5)}.json`, new Date("2099-01-01")).set(`${stem(5)}.seal`, new Date("2099-01-01"));
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f)]));
    },
    finds: ["ALTERED  Execution 5 says that it was made after it was sealed.", pageAltered],
  },
  "an import without the seals that came with it": {
    forge: (f) => {
      const origin = { evidence: "a".repeat(64), position: 1, hash: "b".repeat(64) };
      const imported = { at: "2026-01-01T00:00:00.000Z", archive: "c".repeat(64), origin };
      reseal(f, 5, { imported });
      changeRecord(f, 5, (r) => (r.imported = { at: imported.at, archive: imported.archive, sealed: true }));
      rechain(f);
      changeDay(f, (day) => (day.heads = [leafNow(f)]));
    },
    finds: ["MISSING  Execution 5: the seals that came with its import are missing.", pageAltered],
  },
  "an unreadable file of origins": {
    forge: (f) => f.set("origins/000001.json", Buffer.from('{"watchglass":"origin 1"}')),
    finds: ["ALTERED  origins/000001.json cannot be read."],
  },
  "an altered page (index.html)": {
    forge: (f) => f.replace("index.html", "Paragraph 2.", "Paragraph 9."),
    finds: [pageAltered],
  },
  "a page that says it was made by an unknown version": {
    forge: (f) => {
      changeJob(f, (job) => (job.view = "2"));
      f.set("index.html", Buffer.from("<h1>Nothing happened</h1>"));
    },
    finds: [pageAltered],
  },
  "a second page": {
    forge: (f) => f.set("index-2.html", Buffer.from("<h1>Nothing happened</h1>")),
    finds: ["ADDED  index-2.html doesn't match the sealed executions."],
  },
  "another name of the job": {
    forge: (f) => changeJob(f, (job) => (job.name = "Another")),
    finds: [pageAltered],
  },
  "another address of the job, without the key": {
    forge: (f) => changeJob(f, (job) => (job.url = "https://other.example/")),
    withoutKey: true,
    finds: [pageAltered, "ALTERED  job.json is not the file that was signed."],
  },
  "other settings of the job, without the key": {
    forge: (f) => changeJob(f, (job) => (job.ignore = [".ad"])),
    withoutKey: true,
    finds: ["ALTERED  job.json is not the file that was signed."],
  },
  "a hidden alert, without the key": {
    forge: (f) => changeRecord(f, 2, (r) => (r.untold = "noise")),
    withoutKey: true,
    finds: ["ALTERED  executions/000002.json is not the file that was signed."],
  },
  "an execution hidden as if it was not kept, without the key": {
    forge: (f) => {
      removeExecution(f, 2);
      changeLines<ChainLine>(f, seals, (line) => (line.kept = line.number !== 2));
    },
    withoutKey: true,
    finds: [
      pageAltered,
      "ALTERED  chain/seals-000001.jsonl is not the file that was signed.",
      "MISSING  executions/000002.json is in the signed list of files, but not in the export.",
    ],
    more: true,
  },
  "another verify.mjs, without the key": {
    forge: (f) => f.set("verify.mjs", Buffer.from('console.log("INTACT")\n')),
    withoutKey: true,
    finds: ["ALTERED  verify.mjs is not the file that was signed."],
  },
  "a list of files in another order, without the key": {
    forge: (f) => f.set("SHA256SUMS", Buffer.from(f.text("SHA256SUMS").split("\n").toReversed().join("\n"))),
    withoutKey: true,
    finds: ["ALTERED  The list of files, SHA256SUMS, is not signed by the key of this installation."],
  },
  "a list of files in another order": {
    forge: (f) => {
      const list = `${f.text("SHA256SUMS").trim().split("\n").toReversed().join("\n")}\n`;
      f.set("SHA256SUMS", Buffer.from(list)).set("SHA256SUMS.sig", key.sign(list));
    },
    withoutKey: true,
    finds: ["ALTERED  The signed list isn't in the same order as the files."],
  },
  "a removed signature": {
    forge: (f) => f.delete("SHA256SUMS.sig"),
    withoutKey: true,
    finds: ["MISSING  This export must be signed, but its signature or its key was removed."],
  },
  "the form of an older export that was not signed": {
    forge: (f) => {
      for (const name of ["SHA256SUMS", "SHA256SUMS.sig", "installation-key.pem", keys]) f.delete(name);
      changeJob(f, (job) => {
        delete job.watchglass;
        delete job.exported;
        delete job.view;
      });
      f.set("index.html", Buffer.from("<h1>Nothing happened</h1>"));
    },
    withoutKey: true,
    finds: [
      "ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation.",
      "MISSING  This export must be signed, but its signature or its key was removed.",
    ],
  },
  "the signature of another key than the one that is known": {
    forge: (f) => {
      const own = inventKey();
      f.putLines(keys, [own.line()]);
      changeLines<DayLine>(f, days, (line) => (line.signature = null));
      signAgain(f, own);
    },
    withoutKey: true,
    args: () => ["--key", key.fingerprint],
    finds: [
      "ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation.",
      "ALTERED  The export is not signed by the key you gave, nor by one that follows it.",
    ],
  },
  "a key that the known one never signed": {
    forge: (f) => {
      const own = inventKey();
      const [first] = f.lines<KeyLine>(keys);
      f.putLines(keys, [first, own.line(first?.statement)]);
      signAgain(f, own);
    },
    withoutKey: true,
    args: () => ["--key", key.fingerprint],
    finds: ["ALTERED  Key 2 of the installation was not signed by key 1."],
  },
  "a key that follows a key said to be lost": {
    forge: (f) => {
      const own = inventKey();
      const [first] = f.lines<KeyLine>(keys);
      f.putLines(keys, [first, { ...own.line(first?.statement), endorsement: null }]);
      signAgain(f, own);
    },
    withoutKey: true,
    args: () => ["--key", key.fingerprint],
    finds: ["ALTERED  The export is not signed by the key you gave, nor by one that follows it."],
  },
  "a day that a replaced key signed": {
    forge: (f) => {
      const own = inventKey();
      const [first] = f.lines<KeyLine>(keys);
      const line = own.line(first?.statement, new Date());
      f.putLines(keys, [first, { ...line, endorsement: key.sign(line.statement).toString("base64") }]);
      signAgain(f, own);
    },
    withoutKey: true,
    finds: ["ALTERED  The daily fingerprint of TODAY is signed by key 1, which key 2 had replaced by then."],
  },
  "a day that a key signed before it was made": {
    forge: (f) => changeKey(f, { since: "2099-01-01T00:00:00.000Z" }),
    finds: ["ALTERED  The daily fingerprint of TODAY is signed by key 1, which was created later."],
  },
  "a sentence in place of a key's date": {
    forge: (f) => changeKey(f, { since: "2020-01-01 (registered with a notary)" }),
    finds: [
      "ALTERED  A line of chain/keys.jsonl cannot be read, or is not signed by its own key.",
      "ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation.",
      "MISSING  This export must be signed, but its signature or its key was removed.",
    ],
  },
  "a newer key that says it is older": {
    forge: (f) => {
      const own = inventKey();
      const [first] = f.lines<KeyLine>(keys);
      const line = own.line(first?.statement, new Date("2020-01-01"));
      f.putLines(keys, [first, { ...line, endorsement: key.sign(line.statement).toString("base64") }]);
      signAgain(f, own);
    },
    withoutKey: true,
    finds: ["ALTERED  Key 2 of the installation says that it is older than key 1."],
    more: true,
  },
  "an unreadable key": {
    forge: (f) => f.replace(keys, '{"statement":', '{"extra":1,"statement":'),
    withoutKey: true,
    finds: [
      "ALTERED  A line of chain/keys.jsonl cannot be read, or is not signed by its own key.",
      "ALTERED  The daily fingerprint of TODAY is not signed by a key of this installation.",
      "MISSING  This export must be signed, but its signature or its key was removed.",
    ],
  },
  "another key file": {
    forge: (f) => {
      signAgain(f, key);
      f.set("installation-key.pem", Buffer.from(inventKey().pem));
    },
    withoutKey: true,
    finds: [
      "ALTERED  installation-key.pem is not the key that signed this export.",
      "ALTERED  installation-key.pem is not the file that was signed.",
    ],
  },
  "a file of an execution that was never sealed": {
    forge: (f) => f.set(`${stem(9)}.png`, Buffer.from("x")),
    finds: ["ADDED  executions/000009.png belongs to no sealed execution."],
  },
  "an unrelated file": {
    forge: (f) => f.set("note.txt", Buffer.from("x")),
    finds: ["ADDED  note.txt isn't part of an export."],
  },
  "a second file of the chain under another name": {
    forge: (f) => f.set("chain/seals-1.jsonl", f.get(seals) ?? Buffer.of()),
    finds: ["ADDED  chain/seals-1.jsonl isn't part of an export."],
  },
  "a second list of files": {
    forge: (f) => f.set("MANIFEST.json", Buffer.from("{}")),
    finds: ["ADDED  MANIFEST.json isn't part of an export."],
  },
  "a name that looks the same": {
    forge: (f) =>
      f
        .set("executions/000002.jsоn", f.get(`${stem(2)}.json`) ?? Buffer.of())
        .dates.set("executions/000002.jsоn", f.dates.get(`${stem(2)}.json`) ?? new Date()),
    finds: ["ADDED  executions/000002.jsоn belongs to no sealed execution."],
  },
  "an entry that is a folder": {
    forge: (f) => f.set("executions/", Buffer.of()),
    finds: ["ADDED  executions/ isn't part of an export."],
  },
  "another number of zeros in a name": {
    forge: (f) =>
      f
        .set("executions/0000002.json", f.get(`${stem(2)}.json`) ?? Buffer.of())
        .dates.set("executions/0000002.json", f.dates.get(`${stem(2)}.json`) ?? new Date()),
    finds: ["ADDED  executions/0000002.json belongs to no sealed execution."],
  },
  "a list that makes it a web archive": {
    forge: (f) => f.set("datapackage.json", Buffer.from("{}")),
    finds: ["MISSING  Execution 4: the picture is missing."],
    more: true,
  },
  "a name that leads out of the folder": {
    forge: (f) => f.set("../verify.mjs", Buffer.from("x")),
    finds: ["ADDED  ../verify.mjs isn't part of an export."],
  },
  "another date of a file in the ZIP": {
    forge: (f) => f.dates.set(`${stem(2)}.html.txt`, new Date("2020-01-01")),
    finds: ["ALTERED  The date of executions/000002.html.txt in the ZIP is not that of its execution."],
  },
  "another date of the export in the ZIP": {
    forge: (f) => f.dates.set("index.html", new Date("2020-01-01")),
    finds: ["ALTERED  The date of index.html in the ZIP is not that of the export."],
  },
};

test.each(Object.entries(forgeries))(
  "a forged ZIP with %s is found",
  async (_, { forge, finds, more, withoutKey, args }) => {
    const files = unpackOriginal("zip");
    await forge(files);
    if (!withoutKey) signAgain(files, key);
    const file = await packExport(files);
    const { code, problems } = verifyForged(file, args?.());
    const expected = finds.map((line) =>
      line.replace("TODAY", sealedDay()).replace("TOMORROW", dayAfter(sealedDay())),
    );
    expect(more ? problems.slice(0, expected.length) : problems).toEqual(expected);
    expect(code).toBe(1);
  },
);

const member = (f: ExportFiles, place: number) => {
  const archive = f.get("archive/000002.warc.gz") ?? Buffer.of();
  const starts = f
    .text("indexes/index.cdx")
    .split("\n")
    .filter((line) => line.includes('"000002.warc.gz"'))
    .map((line) => Number(/"offset":(\d+)/.exec(line)?.[1]))
    .sort((a, b) => a - b);
  const [from, to] = [starts[place] ?? 0, starts[place + 1] ?? archive.length];
  return { archive, from, to, bytes: gunzipSync(archive.subarray(from, to)) };
};
const changeMember = (f: ExportFiles, place: number, update: (bytes: Buffer) => Buffer) => {
  const { archive, from, to, bytes } = member(f, place);
  const changed = gzipSync(update(bytes));
  f.set("archive/000002.warc.gz", Buffer.concat([archive.subarray(0, from), changed, archive.subarray(to)]));
};
const replaceText = (from: string, to: string) => (bytes: Buffer) => {
  if (!bytes.includes(from)) throw new Error(`no ${from}`);
  return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
};

const waczForgeries: Record<string, Forgery> = {
  "an altered capture": {
    forge: (f) => changeMember(f, 1, replaceText("Paragraph 2", "Paragraph 9")),
    finds: [
      "ALTERED  Execution 2: the HTML was altered.",
      "ALTERED  Execution 2: the record of urn:dom:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "a removed capture": {
    forge: (f) => f.delete("archive/000002.warc.gz"),
    finds: [
      "MISSING  Execution 2: the picture is missing.",
      "MISSING  Execution 2: the HTML is missing.",
      "MISSING  Execution 2: the response is missing.",
      "MISSING  Execution 2: the file of facts is missing.",
      "MISSING  Execution 2: the text is missing.",
      "MISSING  Execution 2: the list of headers is missing.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
      "ALTERED  pages/pages.jsonl doesn't match the sealed executions.",
    ],
  },
  "a response that no seal knows, to which the index points": {
    forge: (f) => {
      const { archive, bytes } = member(f, 0);
      const own = gzipSync(
        replaceText("Paragraph 2", "Paragraph 9")(replaceText("Watchglass-Part: response\r\n", "")(bytes)),
      );
      f.set("archive/000002.warc.gz", Buffer.concat([archive, own]));
      f.set(
        "indexes/index.cdx",
        Buffer.from(
          f
            .text("indexes/index.cdx")
            .split("\n")
            .map((line) =>
              line.includes('"000002.warc.gz"') && /^\d|^[a-z]+\W*\)/.test(line)
                ? line.replace(
                    /"length":\d+,"offset":\d+/,
                    `"length":${own.length},"offset":${archive.length}`,
                  )
                : line,
            )
            .join("\n"),
        ),
      );
    },
    finds: [
      "ADDED  Execution 2: its web archive has 7 records, but its capture has 6.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "an index that points elsewhere": {
    forge: (f) =>
      f.set(
        "indexes/index.cdx",
        Buffer.from(f.text("indexes/index.cdx").replace('"000002.warc.gz"', '"000003.warc.gz"')),
      ),
    finds: ["ALTERED  indexes/index.cdx doesn't match the sealed executions."],
  },
  "an altered text record": {
    forge: (f) => changeMember(f, 2, replaceText("Paragraph 2", "Paragraph 9")),
    finds: [
      "ALTERED  Execution 2: the record of urn:text:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "another date of a record": {
    forge: (f) =>
      changeMember(f, 0, (bytes) =>
        Buffer.from(bytes.toString("latin1").replace(/WARC-Date: 20\d\d/, "WARC-Date: 2019"), "latin1"),
      ),
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "another address of a record": {
    forge: (f) =>
      changeMember(f, 0, replaceText("WARC-Target-URI: http://127", "WARC-Target-URI: http://128")),
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "another header of the response": {
    forge: (f) => changeMember(f, 0, replaceText("content-type: text/html", "content-type: text/evil")),
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "another status of the response": {
    forge: (f) => changeMember(f, 0, replaceText("HTTP/1.1 200 OK", "HTTP/1.1 404 OK")),
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "records in another order": {
    forge: (f) => {
      const { archive, from, to } = member(f, 0);
      f.set(
        "archive/000002.warc.gz",
        Buffer.concat([archive.subarray(0, from), archive.subarray(to), archive.subarray(from, to)]),
      );
    },
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  Execution 2: the record of urn:dom:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  Execution 2: the record of urn:text:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  Execution 2: the record of urn:watchglass-facts:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  Execution 2: the record of urn:fullPage:http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "a name hidden in the header of a gzip member": {
    forge: (f) => {
      const archive = f.get("archive/000002.warc.gz") ?? Buffer.of();
      const head = Buffer.from(archive.subarray(0, 10));
      head[3] = 8;
      f.set("archive/000002.warc.gz", Buffer.concat([head, Buffer.from("hidden\0"), archive.subarray(10)]));
    },
    finds: [
      "ALTERED  Execution 2: the picture was altered.",
      "ALTERED  Execution 2: the HTML was altered.",
      "ALTERED  Execution 2: the response was altered.",
      "ALTERED  Execution 2: the text was altered.",
      "ALTERED  Execution 2: the list of headers was altered.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
      "ALTERED  pages/pages.jsonl doesn't match the sealed executions.",
    ],
  },
  "bytes after the last gzip member": {
    forge: (f) =>
      f.set(
        "archive/000002.warc.gz",
        Buffer.concat([f.get("archive/000002.warc.gz") ?? Buffer.of(), Buffer.alloc(20)]),
      ),
    finds: [
      "ALTERED  Execution 2: the picture was altered.",
      "ALTERED  Execution 2: the HTML was altered.",
      "ALTERED  Execution 2: the response was altered.",
      "ALTERED  Execution 2: the text was altered.",
      "ALTERED  Execution 2: the list of headers was altered.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
      "ALTERED  pages/pages.jsonl doesn't match the sealed executions.",
    ],
  },
  "an archive of an execution that captured nothing": {
    forge: (f) => {
      const { bytes } = member(f, 0);
      f.set(
        "archive/000005.warc.gz",
        gzipSync(replaceText("Watchglass-Part: response\r\n", "")(bytes)),
      ).dates.set("archive/000005.warc.gz", f.dates.get(`${stem(5)}.json`) ?? new Date());
    },
    finds: ["ADDED  Execution 5: its web archive has 1 records, but it has no capture."],
  },
  "other words after the status of a response": {
    forge: (f) => {
      const bodies = [1, 2, 3, 4].map((place) => member(f, place).bytes);
      const block = (bytes: Buffer | undefined) =>
        bytes?.subarray(bytes.indexOf("\r\n\r\n") + 4, -4) ?? Buffer.of();
      const [html, , facts, picture] = bodies.map(block);
      const response = block(member(f, 0).bytes);
      const parts = {
        html: html ?? Buffer.of(),
        response: response.subarray(response.indexOf("\r\n\r\n") + 4),
        facts: facts ?? Buffer.of(),
        picture: picture ?? null,
      };
      const { id, createdAt } = f.json<{ id: string; createdAt: string }>(`${stem(2)}.json`);
      const filename = "000002.warc.gz";
      const lines = f
        .text("indexes/index.cdx")
        .split("\n")
        .filter((line) => line && !line.includes(filename));
      const members: Buffer[] = [];
      for (const one of warcRecordsOf(parts, "Payment Required")) {
        const packed = gzipSync(writeWarcRecord(one, id, createdAt));
        const offset = members.reduce((sum, { length }) => sum + length, 0);
        if (one.uri)
          lines.push(indexLine(one, createdAt, { filename, offset, length: packed.length }).trim());
        members.push(packed);
      }
      f.set(`archive/${filename}`, Buffer.concat(members));
      f.set("indexes/index.cdx", Buffer.from(writeIndex(lines.map((line) => `${line}\n`))));
    },
    finds: [
      "ALTERED  Execution 2: the record of http://127.0.0.1:8080/1 in its web archive doesn't match its capture.",
      "ALTERED  indexes/index.cdx doesn't match the sealed executions.",
    ],
  },
  "an archive of no execution": {
    forge: (f) => f.set("archive/evil.warc.gz", f.get("archive/000002.warc.gz") ?? Buffer.of()),
    finds: ["ADDED  archive/evil.warc.gz isn't part of an export."],
  },
  "a page that people read beside its records": {
    forge: (f) => f.set("index.html", Buffer.from("<h1>Nothing happened</h1>")),
    finds: ["ADDED  index.html isn't part of an export."],
  },
  "a second description of its files": {
    forge: (f) => f.set("datapackage.yaml", Buffer.from("title: Certified")),
    finds: ["ADDED  datapackage.yaml isn't part of an export."],
  },
  "a packed index beside the plain one": {
    forge: (f) => f.set("indexes/index.cdx.gz", gzipSync(f.get("indexes/index.cdx") ?? "")),
    finds: ["ADDED  indexes/index.cdx.gz isn't part of an export."],
  },
  "another title of a page": {
    forge: (f) => f.replace("pages/pages.jsonl", "A page (2)", "Another page (2)"),
    finds: ["ALTERED  pages/pages.jsonl doesn't match the sealed executions."],
  },
  "another title of the collection": {
    forge: (f) => f.replace("datapackage.json", '"title": "', '"title": "Certified '),
    finds: [
      "ALTERED  datapackage.json doesn't match the sealed executions.",
      "ALTERED  datapackage-digest.json doesn't match the sealed executions.",
    ],
  },
};

test.each(Object.entries(waczForgeries))("a forged WACZ with %s is found", async (_, { forge, finds }) => {
  const files = unpackOriginal("wacz");
  await forge(files);
  signAgain(files, key);
  const file = await packExport(files);
  const { code, problems } = verifyForged(file);
  expect(problems).toEqual(finds);
  expect(code).toBe(1);
});

/** Writes a ZIP with altered headers: each function gets the bytes of one header. */
async function packOddly(odd: {
  head?: (bytes: Buffer, entry: ListedEntry) => Buffer;
  line?: (bytes: Buffer, entry: ListedEntry) => Buffer;
  body?: (packed: Buffer, entry: ListedEntry) => Buffer;
  entries?: (entries: [string, Buffer][]) => [string, Buffer][];
  listed?: (entries: ListedEntry[]) => ListedEntry[];
}): Promise<Buffer> {
  const files = unpackOriginal("zip");
  const bytes: Buffer[] = [];
  const entries: ListedEntry[] = [];
  let offset = 0;
  for (const [name, content] of odd.entries?.([...files]) ?? files) {
    const entry: ListedEntry = {
      name,
      method: 8,
      crc: crc32(content),
      packed: 0,
      size: content.length,
      offset,
      time: 0,
    };
    const date = files.dates.get(name) ?? new Date();
    entry.time = dosTime(date);
    const plain = deflateRawSync(content);
    const packed = odd.body?.(plain, entry) ?? plain;
    entry.packed = packed.length;
    entries.push(entry);
    const head = odd.head?.(localHead(entry), entry) ?? localHead(entry);
    bytes.push(head, packed);
    offset += head.length + packed.length;
  }
  const listed = odd.listed?.(entries) ?? entries;
  const directory = listed.map((entry) => odd.line?.(centralLine(entry), entry) ?? centralLine(entry));
  const size = directory.reduce((sum, line) => sum + line.length, 0);
  return Buffer.concat([...bytes, ...directory, endRecord(listed.length, size, offset)]);
}
const at = (name: string, update: (bytes: Buffer) => unknown) => (bytes: Buffer, entry: ListedEntry) => {
  if (entry.name === name) update(bytes);
  return bytes;
};
const notOurs = (why: string) => `ALTERED  The ZIP is not as Watchglass writes it: ${why}`;

const oddZips: Record<string, [() => Promise<Buffer>, string]> = {
  "two files of one name": [
    () => packOddly({ entries: (all) => [...all, ...all.slice(1, 2)] }),
    notOurs("There are two files called executions/000005.json."),
  ],
  "two signed lists": [
    () => packOddly({ entries: (all) => [...all, ...all.filter(([name]) => name === "SHA256SUMS")] }),
    notOurs("There are two files called SHA256SUMS."),
  ],
  "two names that many file systems take for one": [
    () => packOddly({ entries: (all) => [...all, ["Job.json", Buffer.from("{}")]] }),
    notOurs("There are two files called Job.json."),
  ],
  "another name in the list of files": [
    () => packOddly({ line: at("index.html", (line) => line.write("jndex.html", 46)) }),
    notOurs("Its list of files describes index.html differently than the file itself."),
  ],
  "another checksum in the list of files": [
    () => packOddly({ line: at("index.html", (line) => line.writeUInt32LE(7, 16)) }),
    notOurs("Its list of files describes index.html differently than the file itself."),
  ],
  "a symbolic link": [
    () => packOddly({ line: at("index.html", (line) => line.writeUInt32LE(0xa1ff0000, 38)) }),
    notOurs("Its list of files describes index.html differently than the file itself."),
  ],
  "a file that the list of files leaves out": [
    () => packOddly({ listed: (all) => all.filter(({ name }) => name !== "index.html") }),
    notOurs("Its list of files describes index.html differently than the file itself."),
  ],
  "a file in the list that is not there": [
    () =>
      packOddly({
        listed: (all) => [...all, ...all.slice(-1).map((entry) => ({ ...entry, name: "extra" }))],
      }),
    notOurs("Its list of files names a file that is missing."),
  ],
  "an encrypted file": [
    () => packOddly({ head: at("index.html", (head) => head.writeUInt16LE(0x0801, 6)) }),
    notOurs("The header of index.html is not one that Watchglass writes."),
  ],
  "a checksum after the file instead of before": [
    () => packOddly({ head: at("index.html", (head) => head.writeUInt16LE(0x0808, 6)) }),
    notOurs("The header of index.html is not one that Watchglass writes."),
  ],
  "an extra field": [
    () =>
      packOddly({
        head: (head, { name }) => {
          if (name !== "index.html") return head;
          head.writeUInt16LE(8, 28);
          return Buffer.concat([head, Buffer.from("0100040001020304", "hex")]);
        },
      }),
    notOurs("The header of index.html is not one that Watchglass writes."),
  ],
  "a ZIP64 size": [
    () => packOddly({ head: at("index.html", (head) => head.writeUInt32LE(0xffffffff, 22)) }),
    notOurs("index.html says that it is larger than 512 MiB, which no file of an export is."),
  ],
  "a file that unpacks to more than it says": [
    () =>
      packOddly({
        body: (packed, { name }) =>
          name === "index.html" ? deflateRawSync(Buffer.alloc(5_000_000)) : packed,
      }),
    "ALTERED  index.html is damaged.",
  ],
  "bytes after a packed file": [
    () =>
      packOddly({
        body: (packed, { name }) =>
          name === "index.html" ? Buffer.concat([packed, Buffer.from("x")]) : packed,
      }),
    "ALTERED  index.html is damaged.",
  ],
  "a wrong checksum of a file": [
    () =>
      packOddly({
        body: (packed, entry) => {
          if (entry.name === "index.html") entry.crc = 7;
          return packed;
        },
      }),
    "ALTERED  index.html is damaged.",
  ],
  "bytes before its first file": [
    async () => Buffer.concat([Buffer.from("#!/bin/sh\n"), originals.zip]),
    notOurs("There are bytes before its first file."),
  ],
  "bytes between two files": [
    () =>
      packOddly({
        head: (head, { name }) =>
          name === "index.html" ? Buffer.concat([Buffer.from("hidden"), head]) : head,
      }),
    notOurs("There are bytes after executions/000001.png that belong to no file."),
  ],
  "bytes after its end": [
    async () => Buffer.concat([originals.zip, Buffer.from("hidden")]),
    notOurs("There are 6 bytes after its end."),
  ],
  "a name that is no UTF-8": [
    () => packOddly({ head: at("index.html", (head) => head.writeUInt8(0xff, 30)) }),
    notOurs("The header of \ufffdndex.html is not one that Watchglass writes."),
  ],
  "a second end, in the ZIP64 form, that names another list of files": [
    async () => {
      const end = originals.zip.subarray(-22);
      const [size, start] = [end.readUInt32LE(12), end.readUInt32LE(16)];
      return Buffer.concat([
        originals.zip.subarray(0, -22),
        endRecord(70_000, size, start).subarray(0, 76),
        end,
      ]);
    },
    notOurs("Its end is not one that Watchglass writes."),
  ],
  "another ZIP behind it": [
    async () => Buffer.concat([originals.zip, originals.zip]),
    "ALTERED  The ZIP is not as Watchglass writes it: There are SIZE bytes after its end.",
  ],
  "a comment at its end": [
    async () => {
      const file = Buffer.concat([originals.zip, Buffer.from("hi")]);
      file.writeUInt16LE(2, file.length - 4);
      return file;
    },
    notOurs("Its end is not one that Watchglass writes."),
  ],
  "another number of files at its end": [
    async () => {
      const file = Buffer.from(originals.zip);
      file.writeUInt16LE(1, file.length - 12);
      return file;
    },
    notOurs("Its end is not one that Watchglass writes."),
  ],
};

test("the same ZIP without anything odd is intact", async () => {
  expect(verifyExport(await packOddly({}))).toMatchObject({ code: 0, problems: [] });
});

test.each(Object.entries(oddZips))("a ZIP with %s is found", async (_, [make, found]) => {
  const file = await make();
  const { code, problems } = verifyForged(file);
  expect(problems.slice(0, 1)).toEqual([found.replace("SIZE", String(originals.zip.length))]);
  expect(code).toBe(1);
});

// The long set compares the two on each forgery.
test("the verifier's modules print the same as the built file, on genuine exports, a forged one and a ZIP that isn't ours", async () => {
  const forged = unpackOriginal("zip");
  reseal(forged, 2);
  flip(forged, `${stem(3)}.png`);
  forged.delete(`${stem(4)}.html.txt`);
  const known = ["--head", "0".repeat(64), "--key", key.fingerprint];
  for (const file of [originals.zip, originals.wacz, await packExport(forged), Buffer.from("PK")])
    for (const args of [[], known]) expect(verifyByModules(file, args)).toEqual(verifyExport(file, args));
});

test("a genuine export is intact, and says what it proves and by whom", async () => {
  const plain = verifyExport(originals.zip);
  expect(plain).toMatchObject({ code: 0, problems: [] });
  expect(plain.last).toBe(
    `INTACT: everything in this export is as it was sealed. If you trust the time stamp of "CN=Test authority", positions 1 to 5 of the chain existed on ${stampedDay()}, unchanged since then.`,
  );
  const known = verifyExport(originals.wacz, [...trueHead(), "--key", key.fingerprint]);
  expect(known.last).toBe(
    "INTACT: everything in this export is as it was sealed. If you trust the fingerprint you gave, positions 1 to 5 of the chain existed when you got it, unchanged since then.",
  );
  expect(known.output).toContainEqual(expect.stringMatching(/^Signed by key 1 .* It is the key you gave\.$/));
  const files = unpackOriginal("zip");
  changeLines<DayLine>(files, days, (line) => (line.stamp = null));
  signAgain(files, key);
  expect(verifyExport(await packExport(files)).last).toBe(
    "INTACT: consistent; nothing outside this archive proves when it was made.",
  );
});

test.each<[string, (f: ExportFiles) => unknown, string | RegExp]>([
  [
    "an invented execution that it says isn't sealed yet",
    (f) => {
      const record = { ...f.json<LooseRecord>(`${stem(5)}.json`), index: 6, id: "invented", seal: null };
      f.put(`${stem(6)}.json`, { ...record, summary: "Invented" }, 2);
      f.dates.set(`${stem(6)}.json`, new Date(String(f.json<LooseRecord>(`${stem(5)}.json`).createdAt)));
      redraw(f);
    },
    "Execution 6: not in the chain yet, so no seal covers it.",
  ],
  [
    "a log that it says isn't complete any more",
    (f) => changeRecord(f, 2, (r) => Object.assign(r, { log: [], logGone: true })),
    "Execution 2: its log is no longer complete, so nothing proves the remaining lines.",
  ],
])("an export with %s is not said to be sealed as a whole", async (_, forge, note) => {
  const files = unpackOriginal("zip");
  await forge(files);
  signAgain(files, key);
  const { code, output, last } = verifyExport(await packExport(files));
  expect(code, output.join("\n")).toBe(0);
  expect(output).toContain(note);
  expect(last).toMatch(/^INTACT: every sealed execution in this export is as it was sealed\./);
});

test("a stamp by an authority of the forger's own doesn't hide how far a known fingerprint vouches", async () => {
  const other = await startStampAuthority();
  onTestFinished(() => other.close());
  const files = unpackOriginal("zip");
  const third = files.lines<ChainLine>(seals)[2];
  const { id } = files.json<{ id: string }>("job.json");
  const now = new Date();
  const today = now.toISOString().slice(0, 10);
  changeDay(files, (day) =>
    Object.assign(day, {
      day: new Date(now.getTime() - dayMs).toISOString().slice(0, 10),
      taken: now.toISOString(),
      heads: [leafOf(id, 3, third?.hash ?? "")],
    }),
  );
  await stampAgain(files, authority);
  const [first] = files.lines<DayLine>(days);
  const head = first?.hash ?? "";
  reseal(files, 5);
  rechain(files);
  const taken = new Date(now.getTime() + dayMs).toISOString();
  changeDay(files, (day) =>
    Object.assign(day, { day: today, taken, previous: head, heads: [leafNow(files)] }),
  );
  await stampAgain(files, other);
  files.putLines(days, [first, ...files.lines<DayLine>(days)]);
  redraw(files);
  signAgain(files, key);
  const file = await packExport(files);
  const { code, output, last } = verifyExport(file, ["--head", head]);
  expect(code, output.join("\n")).toBe(0);
  const certificates = output
    .map((line) => /\(certificate ([\da-f]{64})\)\.$/.exec(line)?.[1])
    .filter(Boolean);
  expect(new Set(certificates).size).toBe(2);
  const sealed = "INTACT: everything in this export is as it was sealed.";
  const stampOf = (at: number, places: string) =>
    `If you trust the time stamp of "CN=Test authority" (certificate ${certificates[at]}), positions ${places} of the chain existed on ${today}, unchanged since then.`;
  expect(last).toBe(
    `${sealed} If you trust the fingerprint you gave, positions 1 to 3 of the chain existed when you got it, unchanged since then. ${stampOf(1, "1 to 5")}`,
  );
  expect(verifyExport(file).last).toBe(`${sealed} ${stampOf(1, "1 to 5")} ${stampOf(0, "1 to 3")}`);
});

test("pages of a later version are as signed, and the verifier says that it can't vouch for them", async () => {
  const files = unpackOriginal("zip");
  changeJob(files, (job) => (job.view = 99));
  files.set("index.html", Buffer.from("<h1>Nothing happened</h1>"));
  signAgain(files, key);
  const { code, output, last } = verifyExport(await packExport(files));
  expect(code).toBe(0);
  expect(output).toContain(
    "Its pages, index.html, were made by a later version of Watchglass. They are as signed, but this program cannot derive them again, so they may differ from what was sealed.",
  );
  expect(last).toMatch(/^INTACT: every sealed execution in this export is as it was sealed\./);
});

test("a stamp of today proves nothing about the year that an invented history claims", async () => {
  const files = unpackOriginal("zip");
  const old = "2020-01-01T00:00:00.000Z";
  for (const number of [1, 2, 3, 4, 5]) {
    reseal(files, number, { at: old, sealed: old });
    for (const name of files.keys())
      if (name.startsWith(`${stem(number)}.`)) files.dates.set(name, new Date(old));
  }
  rechain(files);
  changeKey(files, { since: old });
  changeDay(files, (day) =>
    Object.assign(day, { day: "2020-01-01", taken: "2020-01-02T00:00:00.000Z", heads: [leafNow(files)] }),
  );
  await stampAgain(files, authority);
  redraw(files);
  signAgain(files, key);
  const { output, last } = verifyExport(await packExport(files));
  const today = new Date().toISOString().slice(0, 10);
  expect(last).toBe(
    `INTACT: everything in this export is as it was sealed. If you trust the time stamp of "CN=Test authority", positions 1 to 5 of the chain existed on ${today}, unchanged since then.`,
  );
  expect(output.join("\n")).toMatch(
    /2020-01-01: fingerprint .* That is long after the day: the stamp doesn't show that anything existed before\./,
  );
});

test("text of an export can't steer the terminal of whoever verifies it", async () => {
  const files = unpackOriginal("zip");
  changeJob(files, (job) => (job.url = "https://a/\u001b[2J\u202eINTACT"));
  signAgain(files, key);
  const { output } = verifyExport(await packExport(files));
  expect(output.join("\n")).toContain("https://a/\\u{1b}[2J\\u{202e}INTACT");
  expect(output.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test.each(["old.zip", "old.wacz", "old-archive.zip"])(
  "%s, made before exports were signed, is still intact, with a weaker statement",
  (name) => {
    const { code, problems, output, last } = verifyExport(readFileSync(new URL(name, oldExports)));
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(output.join("\n")).toContain(
      "This export was made before exports were signed. Nothing proves that its pages (index.html), the name and settings in job.json and log lines about alerts are unchanged.",
    );
    expect(last).toBe(
      'INTACT: every sealed execution in this export is as it was sealed. If you trust the time stamp of "CN=Test authority", positions 1 to 4 of the chain existed on 2026-11-18, unchanged since then.',
    );
  },
);

test("a new key is endorsed by the old one, whoever knows the old one trusts the new, and the old one can't sign any more", async () => {
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null });
  const jobId = await person.createJob();
  await person.execution(jobId, 1);
  const next = await rotateSigningKey(engine.app.evidence);
  expect(next.number).toBe(2);
  const file = (await person.call("GET", `/api/jobs/${jobId}/export?format=zip`)).raw;
  const { code, output } = verifyExport(file, ["--key", key.fingerprint]);
  expect(code, output.join("\n")).toBe(0);
  expect(output).toContainEqual(
    expect.stringMatching(/^Signed by key 2 .* The key you gave is key 1, from which it follows\.$/),
  );
  const { rows } = await sql<{
    private_sealed: string;
  }>`select private_sealed from signing_keys order by number`.execute(engine.app.db);
  expect(rows.map(({ private_sealed }) => private_sealed === "")).toEqual([true, false]);
  expect((await person.call("GET", "/api/evidence")).body).toMatchObject({
    key: { number: 2, fingerprint: next.fingerprint },
  });
});

test("an archive of an account says which jobs a known fingerprint covers, and whether jobs are left out", async () => {
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null });
  for (const path of [1, 2]) {
    const jobId = await person.createJob({ url: `${site}/${path}` });
    await person.execution(jobId, 1);
  }
  await makeDailySeals(engine.app.evidence, new Date(Date.now() + dayMs));
  const exported = (await person.call("GET", "/api/export")).raw;
  const archive = () => unpackExport(exported);
  const folders = [...archive().keys()].flatMap((name) => /^(jobs\/[^/]+)\/job\.json$/.exec(name)?.[1] ?? []);
  const [first = "", second = ""] = folders;
  const head = archive().lines<DayLine>(`${first}/${days}`)[0]?.hash ?? "";
  expect(verifyExport(exported, ["--head", head])).toMatchObject({
    code: 0,
    last: "INTACT: everything in this export is as it was sealed. If you trust the fingerprint you gave, position 1 of the chain existed when you got it, unchanged since then.",
  });
  const left = archive();
  for (const name of left.keys()) if (name.startsWith(second)) left.delete(name);
  expect(verifyExport(await packExport(left)).output).toContain(
    "The newest daily fingerprint covers 2 jobs, of which this archive has 1 job: others were deleted since, or left out.",
  );
  const signer = await openSigningKey(engine.app.evidence);
  /** The archive with one of its folders altered and signed again. */
  const alterSecond = async (
    update: (inside: ExportFiles) => unknown,
    by: Pick<SigningKey, "pem" | "sign"> = signer,
  ) => {
    const altered = archive();
    const inside = new ExportFiles();
    for (const [name, bytes] of archive())
      if (name.startsWith(second) && !/noise\.json$|SHA256SUMS/.test(name))
        inside.set(name.slice(second.length + 1), bytes);
    await update(inside);
    signAgain(inside, by);
    for (const [name, bytes] of inside) altered.set(`${second}/${name}`, bytes);
    return verifyExport(await packExport(altered), ["--head", head]);
  };
  const day = archive().lines<DayLine>(`${first}/${days}`)[0]?.day ?? "";
  // Without its days, a job could be rewritten, and the fingerprint that is known would say nothing of it.
  const without = await alterSecond((f) => f.set(days, Buffer.of()));
  expect(without.problems).toEqual([
    `ALTERED  ${second}: Execution 1 says that it was sealed before the daily fingerprint of ${day}, which does not cover it.`,
  ]);
  expect(without.output).toContain(`${second}: the fingerprint you gave doesn't cover this job.`);
  const otherDay = await alterSecond((f) =>
    changeLines<DayLine>(f, days, (line) => {
      const statement = JSON.parse(line.statement) as DayStatement;
      line.statement = JSON.stringify({ ...statement, previous: "a".repeat(64) });
      line.hash = hashText(line.statement);
      line.signature = signer.sign(line.statement).toString("base64");
    }),
  );
  expect(otherDay.problems).toContain(
    `ALTERED  ${second} has another daily fingerprint of ${day} than ${first}.`,
  );
  const own = inventKey();
  const otherInstallation = await alterSecond((f) => {
    f.putLines(keys, [own.line()]);
    f.set(days, Buffer.of());
  }, own);
  expect(otherInstallation.problems).toContain(
    `ALTERED  ${second} is not signed by the same key as ${first}.`,
  );
  // A key that was replaced while the archive was made.
  const rotated = await alterSecond((f) => {
    const line = own.line(f.lines<KeyLine>(keys).at(-1)?.statement);
    f.putLines(keys, [
      ...f.lines<KeyLine>(keys),
      { ...line, endorsement: signer.sign(line.statement).toString("base64") },
    ]);
  }, own);
  expect(rotated.problems).toEqual([]);
  const older = await alterSecond((f) => changeJob(f, (job) => (job.exported = "2099-01-01T00:00:00.000Z")));
  expect(older.output).toContainEqual(
    expect.stringMatching(
      `^${first} was exported on .*, but another folder on 2099-01-01T00:00:00\\.000Z: it may be from an older archive\\.$`,
    ),
  );
  // A folder that leads elsewhere, and the same job twice.
  for (const [folder, found] of [
    ["jobs/..", "ADDED  jobs/../job.json isn't part of an export."],
    ["jobs/again", "ADDED  jobs/again contains the same job as another folder."],
  ] as const) {
    const more = archive();
    for (const [name, bytes] of archive())
      if (name.startsWith(second)) {
        more.set(name.replace(second, folder), bytes);
        const date = more.dates.get(name);
        if (date) more.dates.set(name.replace(second, folder), date);
      }
    expect(verifyExport(await packExport(more)).problems).toContain(found);
  }
});

/** A value with each of its parts replaced by each of some hostile values in turn. */
function* variantsOf(value: unknown): Generator<unknown> {
  for (const hostile of [null, 5, "x", {}, [], true]) yield hostile;
  if (typeof value !== "object" || value === null) return;
  const list = Array.isArray(value);
  for (const [at, part] of Object.entries(value).slice(0, list ? 2 : 20))
    for (const other of variantsOf(part))
      yield list ? value.with(Number(at), other) : { ...value, [at]: other };
}

/** Exports an account as an archive, lets the forger alter its files, and imports it into a new account. */
async function importArchive(
  person: Awaited<ReturnType<typeof engine.person>>,
  forge: (f: ExportFiles) => unknown,
) {
  const files = unpackExport((await person.call("GET", "/api/export")).raw);
  forge(files);
  const archive = await packExport(files);
  const other = await engine.person();
  const { body } = await sendImport(engine, other, Uint8Array.from(archive));
  const { body: list } = await other.call("GET", "/api/jobs");
  const jobs = (list as unknown as { jobs: { id: string }[] }).jobs;
  return {
    other,
    body: body as unknown as Record<string, unknown>,
    jobId: jobs[0]?.id ?? "",
    archive: hashText(archive),
  };
}

/** An execution that was altered where it was imported for the first time, and seals that nothing refers to. */
async function findForgedOrigins(archive: string, file: Buffer) {
  const signer = await openSigningKey(engine.app.evidence);
  const files = unpackExport(file);
  const names = [...files.keys()].filter((name) => name.startsWith("origins/"));
  const originOf = (f: ExportFiles) => f.json<Statement>(`${stem(1)}.seal`).imported?.origin;
  const between = names.find((name) => hashText(files.text(name)) === originOf(files)?.evidence) ?? "";
  const origin = files.json<Origin>(between);
  const [line] = origin.chain;
  const [text] = origin.statements;
  if (!line || !text) throw new Error("no origin");
  const invented = { ...(JSON.parse(text) as Statement), summary: "Invented" };
  const statement = JSON.stringify(invented);
  const digest = hashText(statement);
  const hash = linkOf(firstLink(origin.job), digest);
  files.put(between, { ...origin, chain: [{ ...line, digest, hash }], statements: [statement], days: [] });
  const evidence = hashText(files.text(between));
  const imported = files.json<Statement>(`${stem(1)}.seal`).imported;
  reseal(files, 1, {
    summary: "Invented",
    imported: imported && { ...imported, origin: { evidence, position: 1, hash } },
  });
  // Executions of after the import aren't the subject.
  for (const { number } of files.lines<ChainLine>(seals).slice(1)) removeExecution(files, number);
  files.putLines(seals, files.lines<ChainLine>(seals).slice(0, 1));
  changeJob(files, (job) => (job.chain = { length: 1 }));
  rechain(files);
  redraw(files);
  signAgain(files, signer);
  const { problems, output } = verifyExport(await packExport(files));
  expect(problems).toEqual([
    `ALTERED  ${between}: Execution 1 differs from its seal from before the import: summary.`,
  ]);
  expect(output.join("\n")).toContain(archive);
  const more = unpackExport(file);
  more.put("origins/000009.json", { ...origin, days: [], keys: [] });
  signAgain(more, signer);
  const extra = verifyExport(await packExport(more));
  expect(extra.code, extra.output.join("\n")).toBe(0);
  expect(extra.output).toContain(
    "origins/000009.json: no execution in this export says that it came with these seals.",
  );
}

test("an import is marked, its seals come with it through two imports, and a history without seals proves nothing", async () => {
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null });
  const jobId = await person.createJob();
  await person.execution(jobId, 1);
  await makeDailySeals(engine.app.evidence, new Date(Date.now() + dayMs));
  await engine.waitFor("the stamp", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { stampedAt: string | null }[] }).days[0]?.stampedAt;
  });
  const once = await importArchive(person, () => {});
  const twice = await importArchive(once.other, () => {});
  for (const [{ other, jobId: id, archive }, origins] of [
    [once, 1],
    [twice, 2],
  ] as const) {
    for (const format of ["zip", "wacz"]) {
      const file = (await other.call("GET", `/api/jobs/${id}/export?format=${format}`)).raw;
      const { code, output } = verifyExport(file);
      expect(code, output.join("\n")).toBe(0);
      expect(output.join("\n")).toContain(
        `from an archive with the fingerprint (SHA-256) ${archive}. Their seals of that time came with them;`,
      );
      const files = unpackExport(file);
      expect([...files.keys()].filter((name) => name.startsWith("origins/"))).toHaveLength(origins);
      expect(files.json(`${stem(1)}.seal`)).toMatchObject({ imported: { archive, origin: { position: 1 } } });
    }
  }
  // The imported job is active, so it may have been checked already.
  const execution = (await once.other.executionsOf(once.jobId)).at(-1);
  expect(
    (await once.other.call("GET", `/api/jobs/${once.jobId}/executions/${execution?.id}`)).body,
  ).toMatchObject({
    imported: { archive: once.archive, sealed: true },
  });
  const file = (await once.other.call("GET", `/api/jobs/${once.jobId}/export?format=zip`)).raw;
  expect(verifyExport(file).output.join("\n")).toContain(
    `the time stamp of "CN=Test authority" proves that they existed on ${stampedDay()}, up to position 1 of the chain they come from.`,
  );
  expect(unpackExport(file).text("index.html")).toContain(
    `from an archive with the fingerprint (SHA-256) ${once.archive}`,
  );
  // The seals of the origin are covered themselves.
  const altered = unpackExport(file);
  altered.replace("origins/000001.json", '\\"status\\":200', '\\"status\\":404');
  signAgain(altered, await openSigningKey(engine.app.evidence));
  expect(verifyExport(await packExport(altered)).problems).toEqual([
    "ALTERED  origins/000001.json: Execution 1: its seal was altered.",
    "MISSING  Execution 1: the seals that came with its import are missing.",
  ]);
  const origin = altered.json<Record<string, unknown>>("origins/000001.json");
  for (const forged of variantsOf(origin)) expect(() => checkOrigin(JSON.stringify(forged))).not.toThrow();
  await findForgedOrigins(
    twice.archive,
    (await twice.other.call("GET", `/api/jobs/${twice.jobId}/export?format=zip`)).raw,
  );
  // The address of a job isn't sealed in its archive.
  const moved = await importArchive(person, (f) =>
    f.replace("watchglass.json", `"url": "${site}/1"`, `"url": "${site}/2"`),
  );
  const movedExport = (await moved.other.call("GET", `/api/jobs/${moved.jobId}/export?format=zip`)).raw;
  expect(verifyExport(movedExport).output).toContain(
    `Execution 1: before the import, the job had the URL "${site}/1".`,
  );
  // The history of before the seals: dates and summaries are the forger's.
  const forged = await importArchive(person, (f) => {
    for (const name of Array.from(f.keys())) if (/\/chain\/|\.seal$/.test(name)) f.delete(name);
    for (const name of f.keys()) {
      if (name.endsWith("/job.json")) f.put(name, { ...f.json<object>(name), chain: undefined }, 2);
      if (/executions\/\d+\.json$/.test(name))
        f.put(
          name,
          { ...f.json<object>(name), createdAt: "2020-01-01T00:00:00.000Z", summary: "Invented" },
          2,
        );
    }
  });
  const invented = verifyExport(
    (await forged.other.call("GET", `/api/jobs/${forged.jobId}/export?format=zip`)).raw,
  );
  expect(invented.code, invented.output.join("\n")).toBe(0);
  expect(invented.output.join("\n")).toMatch(
    new RegExp(
      `Execution 1: imported on 20\\S+ from an archive with the fingerprint \\(SHA-256\\) ${forged.archive}, which had no seals for them\\. Nothing proves what they say about the time before the import\\.`,
    ),
  );
  expect(invented.last).toBe("INTACT: consistent; nothing outside this archive proves when it was made.");
  // An archive whose days don't fit its chain is refused.
  const refused = await importArchive(person, (f) => {
    for (const name of f.keys())
      if (name.endsWith(days)) f.replace(name, '\\"taken\\":\\"20', '\\"taken\\":\\"19');
  });
  expect(String(refused.body.message)).toContain(" was altered. Nothing was imported.");
});

test("daily fingerprints are sent to a webhook and a locked bucket, and an export says so", async () => {
  const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 503;
  const receiver = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      received.push({ url: request.url ?? "", headers: request.headers, body });
      response.writeHead(request.url?.startsWith("/hook") ? status : 200).end();
    })();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const bucket = openLockedBucket(new URL(`s3://id:secret@locked?endpoint=${address}&lock-days=30`));
  const deps = { ...engine.app.evidence, bucket };
  const person = await engine.person();
  const jobId = await person.createJob();
  await person.execution(jobId, 1);
  const refused = await person.call("PATCH", "/api/evidence", { webhook: "http://10.0.0.1/hook" });
  expect(refused.status).toBe(400);
  expect((await person.call("PATCH", "/api/evidence", { webhook: "ftp://a" })).body.message).toContain(
    "The webhook must be an address like https://example.com/hook.",
  );
  expect((await person.call("PATCH", "/api/evidence", {})).body.message).toContain(
    "Nothing to change was given.",
  );
  const set = await person.call("PATCH", "/api/evidence", {
    webhook: `${address}/hook?secret=1`,
    mail: true,
  });
  expect(set.body.message).toBe(
    "You’ll get each day’s fingerprint by email. Each day’s fingerprint is sent to your webhook.",
  );
  const read = async () => (await person.call("GET", "/api/evidence")).body as unknown as Evidence;
  expect(await read()).toMatchObject({ webhook: new URL(address).host, mail: true });
  const sealedAt = new Date(Date.now() + dayMs);
  await makeDailySeals(deps, sealedAt);
  const day = new Date(sealedAt.getTime() - dayMs).toISOString().slice(0, 10);
  await engine.waitFor("the problem", async () =>
    (await read()).days[0]?.unsent.some(({ problem }) => problem === "The webhook answered with status 503."),
  );
  status = 204;
  const task = { accountId: person.accountId, day };
  await sendDailySeal(deps, { ...task, target: "webhook" });
  await sendDailySeal(deps, { ...task, target: "bucket" });
  const evidence = await read();
  expect(evidence.days[0]).toMatchObject({
    unsent: [],
    sent: [{ to: "bucket" }, { to: "mail" }, { to: "webhook" }],
  });
  const written = received.find(({ url }) => url.includes("daily-fingerprints"));
  expect(written?.url).toBe(`/locked/daily-fingerprints/${person.accountId}/${day}.json`);
  expect(written?.headers).toMatchObject({
    "x-amz-object-lock-mode": "COMPLIANCE",
    "x-amz-checksum-sha256": createHash("sha256")
      .update(written?.body ?? "")
      .digest("base64"),
  });
  const until = Date.parse(String(written?.headers["x-amz-object-lock-retain-until-date"]));
  expect(Math.round((until - Date.now()) / dayMs)).toBe(30);
  for (const { body } of [written, received.findLast(({ url }) => url === "/hook?secret=1")].filter(
    (one) => one !== undefined,
  )) {
    const copy = JSON.parse(body) as Record<string, string>;
    expect(copy.fingerprint).toBe(evidence.days[0]?.head);
    expect(hashText(copy.statement ?? "")).toBe(copy.fingerprint);
    const signature = Buffer.from(copy.signature ?? "", "base64");
    expect(verifySignature(null, Buffer.from(copy.statement ?? ""), copy.publicKey ?? "", signature)).toBe(
      true,
    );
  }
  const file = (await person.call("GET", `/api/jobs/${jobId}/export?format=zip`)).raw;
  const { code, output } = verifyExport(file, ["--head", evidence.days[0]?.head ?? ""]);
  expect(code, output.join("\n")).toBe(0);
  for (const target of ["bucket", "mail", "webhook"])
    expect(output).toContain(
      `The installation says that it sent 1 daily fingerprint by ${target}. Ask a recipient for one, and compare it by --head.`,
    );
  expect((await person.call("PATCH", "/api/evidence", { webhook: null })).status).toBe(200);
  expect(await read()).toMatchObject({ webhook: null });
});

/** The commands of docs/evidence.md, by the words above them. */
function commandsOf(title: string): string {
  const text = readFileSync(new URL("../../../docs/evidence.md", import.meta.url), "utf8");
  const commands = text.split(`### ${title}\n`)[1]?.split("```sh\n")[1]?.split("```")[0];
  if (!commands) throw new Error(`docs/evidence.md has no commands for ${title}`);
  return commands;
}
/** The tools that this machine lacks; asked for once, because a process from a large one is expensive. */
let present: string | undefined;
const lacks = (...tools: string[]) => {
  const wanted = "unzip sha256sum openssl sed jq";
  present ??= spawnSync("sh", ["-c", `for tool in ${wanted}; do command -v $tool; done`], {
    encoding: "utf8",
  }).stdout;
  return tools.filter((tool) => !present?.includes(`/${tool}\n`));
};

test.for<[string, string[], string]>([
  ["Every file is the one that was listed", ["unzip", "sha256sum"], "job.json: OK"],
  ["The list is signed by the installation", ["unzip", "openssl"], "Signature Verified Successfully"],
  ["Each execution follows from the one before", ["unzip", "sha256sum", "sed"], "the chain holds"],
  ["An execution is what its seal says", ["unzip", "sha256sum"], "the response is as sealed"],
  ["A daily fingerprint covers the chain", ["unzip", "sha256sum", "jq"], "covered by the day"],
  ["A time stamp is that of the day", ["unzip", "openssl", "jq"], "Verification: OK"],
])("by hand, with the commands of docs/evidence.md: %s", ([title, tools, expected], { skip }) => {
  // What a missing tool would have shown is shown by Node's own hashes and signatures, so nothing counts as passed unseen.
  checkByNode();
  const missing = lacks(...tools);
  skip(missing.length > 0, `${missing.join(", ")} is missing on this machine`);
  const place = mkdtempSync(join(folder, "by-hand-"));
  writeFileSync(join(place, "export.zip"), originals.zip);
  writeFileSync(join(place, "authority.pem"), authority.certificate());
  const run = (commands: string) => spawnSync("sh", ["-e", "-c", commands], { cwd: place, encoding: "utf8" });
  const good = run(`unzip -q export.zip -d export\ncd export\n${commandsOf(title)}`);
  expect(good.stdout, good.stderr).toContain(expected);
  expect(good.status).toBe(0);
  // The same commands fail on an altered export.
  for (const name of [
    "executions/000001.response.bin",
    "SHA256SUMS",
    "chain/seals-000001.jsonl",
    "chain/days.jsonl",
  ]) {
    const path = join(place, "export", name);
    writeFileSync(path, readFileSync(path, "latin1").replace(/[1-8]/g, "9"), "latin1");
  }
  const bad = run(`cd export\n${commandsOf(title)}`);
  expect(bad.status === 0 && bad.stdout.includes(expected) && !bad.stdout.includes("FAILED")).toBe(false);
});

/** The same checks, by nothing but Node's hashes and signatures. */
function checkByNode(): void {
  const files = unpackOriginal("zip");
  const digest = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  for (const line of files.text("SHA256SUMS").trim().split("\n"))
    expect(digest(files.get(line.slice(66)) ?? "")).toBe(line.slice(0, 64));
  const list = files.get("SHA256SUMS") ?? Buffer.of();
  const signature = files.get("SHA256SUMS.sig") ?? Buffer.of();
  expect(verifySignature(null, list, files.text("installation-key.pem"), signature)).toBe(true);
  let previous = digest(`watchglass chain ${files.json<{ id: string }>("job.json").id}`);
  for (const line of files.lines<ChainLine>(seals)) {
    expect(digest(files.get(`${stem(line.number)}.seal`) ?? "")).toBe(line.digest);
    previous = digest(previous + line.digest);
    expect(line.hash).toBe(previous);
  }
  for (const { statement, hash } of files.lines<DayLine>(days)) expect(digest(statement)).toBe(hash);
}
