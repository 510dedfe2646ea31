import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { storedPartsOf } from "#storage/executions.ts";
import type { ZipEntry } from "#zip/write-zip.ts";
import type { Deps } from "./deps.ts";
import { chainFiles, recordFiles, recordOf, type Source, signFiles, stemOf } from "./export-evidence.ts";
import { hashText } from "./seal-format.ts";
import {
  indexLine,
  type Resource,
  type WarcFacts,
  warcRecordsOf,
  writeDataPackage,
  writeIndex,
  writePages,
  writeWarcRecord,
} from "./warc-format.ts";

const pack = promisify(gzip);

/** A web archive collection (WACZ 1.1.1): one WARC per capture, so that only one has to be in memory at a time. */
export async function* exportWacz(deps: Deps, source: Source): AsyncGenerator<ZipEntry> {
  const resources: Resource[] = [];
  for await (const entry of signFiles(contents(deps, source), source)) {
    const { name, bytes } = entry;
    resources.push({ path: name, hash: hashText(bytes), bytes: bytes.length });
    yield entry;
  }
  const { name, url } = source.job;
  const created = source.exported.toISOString();
  const { description, digest } = writeDataPackage({ name, url, created }, resources);
  yield textFile(source, "datapackage.json", description);
  yield textFile(source, "datapackage-digest.json", digest);
}

async function* contents(deps: Deps, source: Source): AsyncGenerator<ZipEntry> {
  const { about, rows, read } = source;
  yield about;
  const index: string[] = [];
  const captures: { id: string; number: number; at: string; facts: WarcFacts }[] = [];
  for await (const row of rows) {
    const { record, statement } = await recordOf(deps, row);
    yield* recordFiles(row, record, statement);
    const kept = storedPartsOf(row);
    if (!kept) continue;
    const at = row.created_at.toISOString();
    const parts = {
      html: Buffer.from(await read.html(kept.html)),
      response: Buffer.from(await read.body(kept.body)),
      facts: Buffer.from(await read.facts(kept.facts)),
      picture: kept.picture && Buffer.from(await read.picture(kept.picture)),
    };
    const filename = `${stemOf(row)}.warc.gz`;
    const members: Buffer[] = [];
    let offset = 0;
    for (const one of warcRecordsOf(parts)) {
      const member = await pack(writeWarcRecord(one, row.id, at));
      if (one.uri) index.push(indexLine(one, at, { filename, offset, length: member.length }));
      members.push(member);
      offset += member.length;
    }
    // Stored uncompressed: readers look up single records in it.
    yield {
      name: `archive/${filename}`,
      bytes: Buffer.concat(members),
      modified: row.created_at,
      compress: false,
    };
    const facts = JSON.parse(parts.facts.toString()) as WarcFacts;
    captures.push({ id: row.id, number: row.number, at, facts: { ...facts, text: [], headers: [] } });
  }
  yield textFile(source, "indexes/index.cdx", writeIndex(index));
  yield textFile(source, "pages/pages.jsonl", writePages(captures));
  yield* chainFiles(deps, source);
}

const textFile = ({ exported }: Source, name: string, text: string): ZipEntry => ({
  name,
  bytes: Buffer.from(text),
  modified: exported,
  compress: true,
});
