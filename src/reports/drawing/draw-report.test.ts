import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as pdfjs from "pdfjs-dist";
import { expect, test } from "vitest";
import { compareWorst, type Figures, headline } from "./pieces.ts";
import { drawSample, type SampleJob, sampleChange } from "./testing/draw-sample.ts";

type Line = { text: string; size: number; y: number };
type Page = { lines: Line[]; words: string; lowest: number };

const pageHeight = 842;
const footerY = 60;

/** Reads a PDF with an independent reader: the texts of each page with their size and place, and the outline. */
async function readPdf(pdf: Buffer): Promise<{ pages: Page[]; outline: string[] }> {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { getDocument, OPS } = (await import(pathToFileURL(join(root, "legacy/build/pdf.mjs")).href)) as Pick<
    typeof pdfjs,
    "getDocument" | "OPS"
  >;
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = items
      .flatMap((item) => ("str" in item && item.str.trim() !== "" ? [item] : []))
      .map(({ str, transform }) => ({ text: str, size: Number(transform[0]), y: Number(transform[5]) }))
      .filter(({ y }) => y > footerY);
    const { fnArray, argsArray } = await page.getOperatorList();
    const pictures = fnArray.flatMap((operator, at) =>
      operator === OPS.paintImageXObject
        ? [lastTransform(fnArray.slice(0, at), argsArray, OPS.transform)]
        : [],
    );
    const lowest = Math.min(...lines.map(({ y }) => y), ...pictures);
    pages.push({
      lines,
      words: lines
        .map(({ text }) => text)
        .join(" ")
        .replace(/\s+/g, " "),
      lowest,
    });
  }
  const outline = (await document.getOutline()).map(({ title }) => title);
  await task.destroy();
  return { pages, outline };
}

/** The lower edge of a picture, in points from the bottom of its page: pdfkit draws from the top. */
function lastTransform(operators: number[], operands: unknown[], transform: number): number {
  const at = operators.lastIndexOf(transform);
  return pageHeight - Number((operands[at] as number[])[5]);
}

const many = async (number: number, from = 0) =>
  Promise.all(Array.from({ length: number }, (_, at) => sampleChange(from + at)));

const names = [
  "Цены на лампы",
  "価格表 東京",
  "Prices 💡🔥 👩‍💻",
  `A long name ${"that goes on ".repeat(8)}`,
];
const jobsOf = async (number: number): Promise<SampleJob[]> =>
  Promise.all(
    Array.from({ length: number }, async (_, at) => ({
      name: `${at} ${names[at % names.length]}`,
      changes: at < number / 2 ? await many((at * 5) % 6, at * 20) : [],
      failures: at % 9 === 5 ? 12 : 0,
    })),
  );

const reports: [name: string, jobs: () => Promise<SampleJob[]>][] = [
  ["one job with one change", async () => [{ name: "Fjell lamp", changes: await many(1, 3) }]],
  ["one job without a change", async () => [{ name: "Fjell lamp", changes: [] }]],
  ["one job with 40 changes", async () => [{ name: "Fjell lamp", changes: await many(40) }]],
  ["40 jobs", () => jobsOf(40)],
  ["90 jobs", async () => (await jobsOf(90)).map((job) => ({ ...job, changes: [] }))],
  ["150 jobs without a change", async () => (await jobsOf(150)).map((job) => ({ ...job, changes: [] }))],
];

test.each(reports)(
  "a PDF of %s: contents, one page of what matters, no near-empty page, no lone heading",
  async (_, jobs) => {
    const given = await jobs();
    const { pages, outline } = await readPdf((await drawSample(given)).pdf);
    expect(outline).toHaveLength(given.length + 3);
    expect([outline[0], outline[1], outline.at(-1)]).toEqual(["Contents", "What matters", "Fingerprints"]);
    expect(pages[0]?.words).toMatch(/^Shop prices .* Contents /);
    const overview = pages.filter(({ lines }) =>
      lines.some(({ text, size }) => text === "What matters" && size > 14),
    );
    expect(overview).toHaveLength(1);
    // Its end is on the same page as its beginning.
    expect(overview[0]?.words).toMatch(/What matters .* Longest time between checks .* Available /);
    pages.slice(0, -1).forEach(({ lowest }, at) => {
      expect(pageHeight - lowest, `page ${at + 1} is nearly empty`).toBeGreaterThan(0.45 * pageHeight);
    });
    for (const { lines } of pages) {
      const last = lines.toSorted((a, b) => a.y - b.y)[0];
      expect(last?.size, `“${last?.text}” is the last line of a page`).toBeLessThan(10.5);
      expect(last?.text).not.toMatch(/^Row |^Before$|^After$|execution \d+$/);
    }
  },
);

test("every changed line has the label of its row, in PDF and HTML", async () => {
  const { pdf, html } = await drawSample([{ name: "Fjell lamp", changes: await many(8) }]);
  const words = (await readPdf(pdf)).pages.map((page) => page.words).join(" ");
  for (let number = 0; number < 8; number++) {
    expect(words).toContain(`Row ${number}.0 − ${number}.00 € before`);
    expect(html.toString()).toContain(`<p class="row">Row ${number}.0</p><pre><del>− ${number}.00 € before`);
  }
});

test("fingerprints are only in the appendix, those of each job under its name", async () => {
  const jobs = [
    { name: "First", changes: await many(2) },
    { name: "Second", changes: await many(2, 5) },
  ];
  const { pdf, html } = await drawSample(jobs);
  const words = (await readPdf(pdf)).pages.map((page) => page.words).join(" ");
  const [, appendix = ""] = words.split("Each is the fingerprint (SHA-256)");
  for (const text of [appendix, html.toString().split('<section id="fingerprints">')[1] ?? ""]) {
    const found = [...text.matchAll(/(?:First|Second)(?= Execution|<\/h3>)|[\da-f]{64}/g)].map(
      ([one]) => one,
    );
    const seals = jobs.map(({ changes }) => changes.map(({ seal }) => seal));
    expect(found).toEqual(["First", ...(seals[0] ?? []), "Second", ...(seals[1] ?? [])]);
  }
  expect(words.match(/[\da-f]{64}/g)).toHaveLength(4);
  expect(html.toString().match(/[\da-f]{64}/g)).toHaveLength(4);
});

test("words in other scripts and emoji are drawn, and characters without a font are named in a sentence", async () => {
  const named = async (name: string) => {
    const { pages } = await readPdf((await drawSample([{ name, changes: [] }])).pdf);
    return pages.map((page) => page.words).join(" ");
  };
  const sentence =
    "Some characters of the watched pages are missing from this PDF's fonts and appear as boxes.";
  const known = await named("Цены 価格 💡🔥 قائمة");
  for (const word of ["Цены", "価格", "💡🔥"]) expect(known).toContain(word);
  expect(known).not.toContain(sentence);
  expect(await named("ราคา")).toContain(sentence);
});

test("a report says in words where a limit cuts it, in PDF and HTML", async () => {
  const [first, second] = await many(2);
  const limit = "From here on, changes are shown without pictures: a report has at most 100.";
  const changes = first && second ? [first, { ...second, limit, moreLines: 3, morePlaces: 1 }] : [];
  const { pdf, html } = await drawSample([{ name: "Large", changes, left: 9000 }]);
  const words = (await readPdf(pdf)).pages.map((page) => page.words).join(" ");
  for (const text of [words, html.toString()])
    for (const sentence of [
      "A report shows at most 2,000 changes, so 2 of 9,002 are shown: the newest of each job. All figures count every change.",
      "The newest 2 changes of 9002 follow. The 9000 older ones are not shown, because the report reached its limit.",
      limit,
      "3 more changed lines",
      "1 more marked area",
    ])
      expect(text).toContain(sentence);
});

const figures = (values: Partial<Figures["bySeverity"]>, failures = 0): Figures => {
  const bySeverity = { critical: 0, important: 0, notice: 0, info: 0, ...values };
  const changes = Object.values(bySeverity).reduce((sum, number) => sum + number, 0);
  return { checks: 100, changes, failures, bySeverity, silenceMs: null };
};

test("jobs are listed worst first", () => {
  const sorted = {
    "one critical change": figures({ critical: 1 }),
    "three important changes": figures({ important: 3, notice: 1 }),
    "an important change": figures({ important: 1, notice: 50 }),
    "half of the checks failed": figures({ notice: 9 }, 50),
    "a notice and failures": figures({ notice: 1 }, 3),
    "a notice": figures({ notice: 1 }),
    "some checks failed": figures({}, 3),
    nothing: figures({}),
  };
  const shuffled = Object.entries(sorted).toReversed();
  shuffled.sort(([, a], [, b]) => compareWorst(a, b));
  expect(shuffled.map(([name]) => name)).toEqual(Object.keys(sorted));
});

test.each([
  [
    [figures({ critical: 1 }), figures({ critical: 2, info: 1 }, 3), figures({})],
    "Critical changes on 2 jobs, info changes on 1 job, failed checks on 1 job and 1 job without any.",
  ],
  [[figures({})], "Nothing changed, and no checks failed."],
  [[{ ...figures({}), checks: 0 }], "There were no checks in this period."],
  [[], "The jobs of this report no longer exist."],
])("the headline of %j is %s", (jobs, words) => {
  const checks = jobs.reduce((sum, job) => sum + job.checks, 0);
  expect(
    headline(
      { ...figures({}), checks },
      jobs.map((one) => ({ figures: one })),
    ),
  ).toBe(words);
});

test("a model's sentence on all changes is in the overview, escaped and marked as its words", async () => {
  const opinion = "In the words of llama, unchecked: “The <b>Fjell</b> lamp costs more.”";
  const { pdf, html } = await drawSample([{ name: "Fjell lamp", changes: await many(1) }], { opinion });
  const { pages } = await readPdf(pdf);
  expect(pages.map(({ words }) => words).join(" ")).toContain(opinion);
  expect(html.toString()).toContain("unchecked: “The &#60;b&#62;Fjell&#60;/b&#62; lamp costs more.”");
});
