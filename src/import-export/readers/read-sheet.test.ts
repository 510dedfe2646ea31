import { expect, test } from "vitest";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { readImport } from "./read-import.ts";

type Cells = Record<string, string>;

/** A workbook with one sheet, whose cells are given as XML by their place. */
async function workbook(cells: Cells, parts: Record<string, string> = {}): Promise<Buffer> {
  const rows = Map.groupBy(Object.entries(cells), ([place]) => Number(/\d+/.exec(place)?.[0]));
  const data = [...rows].map(([row, own]) => `<row r="${row}">${own.map(([, xml]) => xml).join("")}</row>`);
  const files: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml":
      '<workbook><sheets><sheet name="Hidden" state="hidden" r:id="r2"/><sheet name="Pages" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet><sheetData>${data.join("")}</sheetData></worksheet>`,
    ...parts,
  };
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [name, content] of Object.entries(files))
      yield { name, bytes: Buffer.from(content), modified: new Date(0), compress: true };
  }
  const written: Uint8Array[] = [];
  for await (const part of zip(entries())) written.push(part as Uint8Array);
  return Buffer.concat(written);
}

const text = (place: string, words: string): Cells => ({
  [place]: `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`,
});
const number = (place: string, value: string): Cells => ({ [place]: `<c r="${place}"><v>${value}</v></c>` });
const row = (at: number, ...words: string[]): Cells =>
  Object.assign({}, ...words.map((word, i) => text(`${"ABCDEFG"[i]}${at}`, word)));

test("a spreadsheet from Wachete is read by its headings, with XPaths and minutes", async () => {
  const { format, drafts, channels } = await readImport(
    await workbook({
      ...row(1, "Name", "URL", "Folder", "Interval (min)", "XPath", "Dynamic wachet", "Note"),
      ...row(2, "News &amp; more", "https://a.example/x?a=1&amp;b=2", "Cities"),
      ...number("D2", "1824"),
      ...text("E2", "//h1 || //*[@id='c']/div[1]"),
      F2: '<c r="F2" t="b"><v>0</v></c>',
      ...row(3, "", "https://b.example/"),
    }),
  );
  expect(format).toBe("Excel");
  expect(channels).toEqual([]);
  expect(drafts).toMatchObject([
    {
      name: "News & more",
      url: "https://a.example/x?a=1&b=2",
      group: "Cities",
      frequency: 1824,
      selector: "xpath://h1\nxpath://*[@id='c']/div[1]",
      left: ["The column “Note” is not known."],
      problem: null,
    },
    { name: "", url: "https://b.example/", group: null, frequency: null, selector: null },
  ]);
});

test("shared and formatted texts, formulas, links under other words and missing places are read", async () => {
  const sheet = `<x:worksheet><x:sheetData>
    <x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row>
    <x:row><x:c t="str"><x:f>A1&amp;"x"</x:f><x:v>https://a.example/</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c></x:row>
    <x:row r="5"><x:c r="A5" t="inlineStr"><x:is><x:t>The shop</x:t></x:is></x:c><x:c r="B5" t="e"><x:v>#REF!</x:v></x:c></x:row>
    <x:row><x:c t="s"/><x:c><x:v>7</x:v></x:c></x:row>
    </x:sheetData><x:hyperlinks><x:hyperlink ref="A5" r:id="l1"/><x:hyperlink ref="A2" r:id="l1"/></x:hyperlinks></x:worksheet>`;
  const { drafts, channels } = await readImport(
    await workbook(
      {},
      {
        "xl/workbook.xml":
          '<workbook><sheets><sheet name="Pages" r:id="r1"/><sheet name="More" r:id="r2"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml":
          '<sst><si><t>url</t></si><si><r><t>na</t></r><r><t>me</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>',
        "xl/worksheets/_rels/sheet1.xml.rels":
          '<Relationships><Relationship Id="l1" Target="https://shop.example/"/></Relationships>',
      },
    ),
  );
  expect(drafts.map(({ url, name }) => [url, name])).toEqual([
    ["https://a.example/", "東京"],
    ["https://shop.example/", ""],
  ]);
  expect(channels).toEqual(["Only the first sheet, “Pages”, is read."]);
});

test("a sheet without headings is read where each row has an address", async () => {
  const { drafts } = await readImport(
    await workbook({ ...row(1, "The shop", "https://a.example/"), ...row(2, "https://b.example/") }),
  );
  expect(drafts.map(({ url, name }) => [url, name])).toEqual([
    ["https://a.example/", "The shop"],
    ["https://b.example/", ""],
  ]);
});

const headed = (rest: Cells): Cells => ({ ...row(1, "url"), ...row(2, "https://a.example/"), ...rest });
const refusals: [what: string, file: () => Promise<Buffer>, refusal: string | RegExp][] = [
  ["no column of addresses", () => workbook(row(1, "a", "b")), "The sheet has no column called url."],
  [
    "a column far to the right",
    () => workbook(headed(number("CW3", "1"))),
    "The sheet has more than 100 columns. Split the file and import its parts.",
  ],
  [
    "too many rows",
    () =>
      workbook(
        headed(Object.assign({}, ...Array.from({ length: 20_000 }, (_, at) => number(`B${at + 3}`, "1")))),
      ),
    "The sheet has more than 20,000 rows. Split the file and import its parts.",
  ],
  [
    "too many addresses",
    () =>
      workbook(
        Object.assign(
          row(1, "url"),
          ...Array.from({ length: 1_001 }, (_, at) => text(`A${at + 2}`, "https://a.example/")),
        ),
      ),
    /^The file has more than 1,000 addresses/,
  ],
  [
    "deep nesting",
    () => workbook({}, { "xl/worksheets/sheet1.xml": "<a>".repeat(100_000) }),
    "The sheet is nested too deeply: at most 50 levels are read.",
  ],
  [
    "a list of texts that is too long",
    () => workbook(headed({}), { "xl/sharedStrings.xml": " ".repeat(11 * 1024 * 1024) }),
    "The contents of the ZIP are larger than 10 MiB unpacked.",
  ],
  [
    "very many elements",
    () => workbook({}, { "xl/worksheets/sheet1.xml": `<a>${"<b/>".repeat(300_001)}</a>` }),
    /^The sheet has more than 300,000 elements\./,
  ],
  ["no sheets", () => workbook({}, { "xl/workbook.xml": "<workbook/>" }), "The spreadsheet has no sheets."],
  [
    "a sheet that is missing",
    () => workbook({}, { "xl/_rels/workbook.xml.rels": '<a><Relationship Id="r1" Target="no.xml"/></a>' }),
    "The spreadsheet is incomplete: its first sheet is missing.",
  ],
];
test.each(refusals)("a spreadsheet with %s is refused", async (_, file, refusal) => {
  await expect(readImport(await file())).rejects.toThrow(refusal);
});

test("a text that many cells share makes no large jobs", async () => {
  const cells = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`B${at + 2}`, `<c r="B${at + 2}" t="s"><v>0</v></c>`]),
  );
  const addresses = Object.assign(
    {},
    ...Array.from({ length: 900 }, (_, at) => text(`A${at + 2}`, `https://a.example/${at}`)),
  );
  const { drafts } = await readImport(
    await workbook(
      { ...row(1, "url", "name"), ...addresses, ...cells },
      { "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(5_000_000)}</t></si></sst>` },
    ),
  );
  expect(drafts).toHaveLength(900);
  expect(JSON.stringify(drafts).length).toBeLessThan(1_000_000);
});
