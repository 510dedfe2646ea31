import { type UploadRoute } from "#server/testing/walked-inputs.ts";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import type { Answer, Caller } from "./product.ts";

/** A call whose input can have any size, and the base size that is grown tenfold. */
export type SizedCall = {
  call: string;
  input: string;
  base: number;
  ask: (size: number) => Promise<Answer>;
  /** Whether the code behind the route's schema never sees that the input grows. */
  isOnlySeenBySchema?: () => boolean;
  /** The same for the same field in each entry of a list. */
  field?: string;
};

const repeated = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
const many = (size: number, each: number, make: (n: number) => string) =>
  Array.from({ length: Math.ceil(size / each) }, (_, n) => make(n)).join("");
const address = "http://127.0.0.1:8080/";

/** Files made to take long to read, by size in bytes; ten times `base` stays within the limits. */
const files: Record<string, { base: number; make: (size: number) => string | Promise<Buffer> }> = {
  "addresses with remarks": { base: 60_000, make: (size) => `${address} ${repeated(" #", size)}\u2028` },
  "one address a line": { base: 2_500, make: (size) => many(size, 25, (n) => `${address}${n}\n`) },
  "OPML, nested": { base: 35_000, make: (size) => `<opml>${repeated('<outline text="a">', size)}</opml>` },
  "OPML, side by side": {
    base: 5_000,
    make: (size) => `<opml>${many(size, 50, (n) => `<outline text="a" htmlUrl="${address}${n}"/>`)}</opml>`,
  },
  "OPML, closed without end": {
    base: 35_000,
    make: (size) => `<opml>${repeated("<outline><b>", size / 2)}${repeated("</x>", size / 2)}</opml>`,
  },
  "CSV, many columns": {
    base: 7_000,
    make: (size) => `url,${repeated("a,", size / 2)}\n${repeated(`${address}\n`, size / 2)}`,
  },
  "CSV, many rows": {
    base: 3_000,
    make: (size) => `url,name\n${many(size, 30, (n) => `${address}${n},a\n`)}`,
  },
  "CSV, quotation marks": { base: 10_000, make: (size) => `url,b\n${repeated('"",', size)}` },
  "archive, empty jobs": {
    base: 44_000,
    make: (size) => `{"watchglass":1,"jobs":[${repeated("{},", size)}{}]}`,
  },
  "archive, empty groups": {
    base: 44_000,
    make: (size) => `{"watchglass":1,"jobs":[],"groups":[${repeated("{},", size)}{}]}`,
  },
  "JSON, lists in lists": {
    base: 100_000,
    make: (size) => `{"watchglass":${repeated("[", size / 2)}${repeated("]", size / 2)}}`,
  },
  "changedetection.io, long tags": {
    base: 50_000,
    make: (size) =>
      JSON.stringify({
        watching: Object.fromEntries(
          Array.from({ length: 100 }, (_, n) => [n, { url: address, tags: Array(size / 2_000).fill("t") }]),
        ),
        settings: { application: { tags: { t: { title: "x".repeat(size / 2) } } } },
      }),
  },
  "Distill, selections": {
    base: 50_000,
    make: (size) => {
      const includes = Array.from({ length: size / 25 }, () => ({ type: "css", expr: "a" }));
      return JSON.stringify({
        data: [{ uri: address, config: { selections: [{ frames: [{ includes }] }] } }],
      });
    },
  },
  "YAML, keys": {
    base: 14_000,
    make: (size) => `url: ${address}\n${many(size, 9, (n) => `k${n}: 1\n`)}`,
  },
  "YAML, keys on a line": {
    base: 14_000,
    make: (size) => `url: ${address}\na: {${many(size, 9, (n) => `k${n}: 1,`)}}`,
  },
  "YAML, anchors": {
    base: 14_000,
    make: (size) => `url: ${address}\na: [${many(size, 14, (n) => `&a${n} 1,*a${n},`)}]`,
  },
  "YAML, nested": { base: 20_000, make: (size) => `url: ${address}\na: ${repeated("[", size)}` },
  "YAML, wrong": { base: 20_000, make: (size) => `url: ${address}\na: ${repeated("}] ", size)}` },
  "YAML, quoted": { base: 20_000, make: (size) => `url: ${address}\na: "${repeated("\\n\n ", size)}"` },
  "YAML, many jobs": {
    base: 4_000,
    make: (size) => many(size, 40, (n) => `url: ${address}${n}\nname: n${n}\n---\n`),
  },
  "Excel, many rows": {
    base: 4_000,
    make: (size) => sheet(many(size, 40, (n) => `<row><c t="str"><v>${address}${n}</v></c></row>`)),
  },
  "Excel, many cells": {
    base: 50_000,
    make: (size) => sheet(`<row>${repeated('<c t="str"><v>a</v></c>', size)}</row>`),
  },
  "Excel, cells in cells": { base: 50_000, make: (size) => sheet(repeated('<row><c r="A1"><v>1', size)) },
  "Excel, many attributes": {
    base: 50_000,
    make: (size) => sheet(`<row ${many(size, 9, (n) => `a${n}="1" `)}/>`),
  },
  "Excel, links to one place": {
    base: 50_000,
    make: (size) =>
      sheet(`<row><c r="A1"><v>1</v></c></row>${repeated('<hyperlink ref="A1" r:id="l"/>', size)}`),
  },
  "ZIP, many names": {
    base: 1_000,
    make: (size) => pack(Array.from({ length: size }, (_, n) => [`n/${n}.txt`, "x"])),
  },
};

async function pack(entries: [name: string, text: string][]): Promise<Buffer> {
  async function* all(): AsyncGenerator<ZipEntry> {
    for (const [name, text] of entries)
      yield { name, bytes: Buffer.from(text), modified: new Date(0), compress: false };
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(all())) parts.push(part);
  return Buffer.concat(parts);
}

/** A workbook with one sheet of this content. */
const sheet = (content: string) =>
  pack([
    ["xl/workbook.xml", '<workbook><sheets><sheet name="A" r:id="r"/></sheets></workbook>'],
    [
      "xl/_rels/workbook.xml.rels",
      '<Relationships><Relationship Id="r" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    ["xl/worksheets/sheet1.xml", `<worksheet><sheetData>${content}</sheetData></worksheet>`],
    [
      "xl/worksheets/_rels/sheet1.xml.rels",
      `<Relationships><Relationship Id="l" Target="${address}"/></Relationships>`,
    ],
  ]);

function form(name: string, type: string, content: Uint8Array): Buffer {
  const head = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--x--\r\n")]);
}

/** Every call that takes a file or a form, with growing ones: the types demand an entry for a new route. */
const uploads: Record<UploadRoute, (caller: Caller) => Iterable<SizedCall>> = {
  *importJobs(caller) {
    for (const [input, { base, make }] of Object.entries(files))
      yield {
        call: "importJobs",
        input,
        base,
        ask: async (size) => caller.call("POST", "/api/import?dryRun=true", await fileForm(make(size))),
      };
  },
  *importWithProgress(caller) {
    const { base, make } = files["archive, empty jobs"] as (typeof files)[string];
    yield {
      call: "importWithProgress",
      input: "archive, empty jobs",
      base,
      ask: async (size) =>
        caller.call("POST", "/api/import/progress?dryRun=true", await fileForm(make(size))),
    };
  },
  *putPhoto(caller) {
    const ask = (size: number) =>
      caller.call("PUT", "/api/me/photo", form("photo", "image/png", Buffer.alloc(size, 137)));
    yield { call: "putPhoto", input: "no picture", base: 100_000, ask };
  },
  *billingWebhook(caller) {
    for (const piece of ["[", '{"a":', " "]) {
      const ask = (size: number) => caller.call("POST", "/api/payment/webhook", repeated(piece, size));
      yield { call: "billingWebhook", input: piece, base: 20_000, ask };
    }
  },
  *oftenByLink(caller) {
    const ask = (size: number) => caller.call("POST", "/api/often/x", repeated("a=1&", size));
    yield { call: "oftenByLink", input: "a form", base: 20_000, ask };
  },
  *unsubscribe(caller) {
    const ask = (size: number) => caller.call("POST", "/api/unsubscribe/x", repeated("a=1&", size));
    yield { call: "unsubscribe", input: "a form", base: 20_000, ask };
  },
};

const fileForm = async (content: string | Promise<Buffer>) =>
  form("file", "text/plain", Buffer.from(await content));

export const listUploads = (caller: Caller): SizedCall[] =>
  Object.values(uploads).flatMap((list) => [...list(caller)]);
