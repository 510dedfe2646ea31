import { compare } from "#detection/compare.ts";
import { compareStructure } from "#detection/html-comparison/compare-structure.ts";
import { canonicalHtml } from "#detection/html-formatting/canonical-html.ts";
import { extractPage } from "#detection/html-parsing/extract-page.ts";
import { diffLines } from "#detection/line-and-word-diff/diff-lines.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { compareImage } from "#detection/picture-comparison/compare-image.ts";
import { findFindings } from "#detection/security-findings/findings.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { compareText } from "#detection/text/compare-text.ts";
import { drawPage, encode, paintOver } from "./make-picture.ts";
import { goal, measure, seeded } from "./measure.ts";
import { decodeBoth } from "./pictures.ts";

const URL = "https://shop.example/list";

/** Compares the time of a whole verdict (500 KB page, pictures included) with the sum of its parts. */
export async function benchVerdict(): Promise<void> {
  console.log("whole verdict, 500 KB page with pictures (ms, median of 5)");
  const before = snapshotOf(makePage(0), "html", URL);
  const after = snapshotOf(makePage(1), "html", URL);
  const page = drawPage("text", 8000);
  const old = await encode(page);
  const now = await encode(paintOver(page, 8000));
  const lines = [before, after].map((snapshot) => canonicalHtml(snapshot.html).lines);
  const older = extractPage(before.html, URL);
  const newer = extractPage(after.html, URL);
  const picture = async () => compareImage(...(await decodeBoth(old, now)));
  const times = await measure({
    extract: () => [extractPage(before.html, URL), extractPage(after.html, URL)],
    print: () => [canonicalHtml(before.html), canonicalHtml(after.html)],
    diff: () => diffLines(lines[0]!, lines[1]!),
    text: () => compareText(older, newer),
    structure: () => compareStructure(older, newer, emptyMemory()),
    findings: () => findFindings(before, after),
    picture,
    whole: async () => compare(before, after, emptyMemory(), await picture()),
  });
  const { whole, ...parts } = times;
  const sum = Object.values(parts).reduce((total, time) => total + time, 0);
  const formattedTimes = Object.entries(parts).map(([name, time]) => `${name} ${time.toFixed(0)}`);
  console.log(`  whole ${whole.toFixed(0)}, parts ${sum.toFixed(0)}: ${formattedTimes.join(", ")}`);
  goal("whole / sum of its parts", whole / sum, "<=", 1.5, "×");
}

/** Compares a page of 60,000 paragraphs with one of 6,000: the time must grow linearly. */
export async function benchLarge(): Promise<void> {
  console.log("large pages and files, one edit in 60,000 parts compared with one in 6,000 (ms, median of 3)");
  const parts = (count: number, edited: number, draw: (n: number, word: string) => string) =>
    Array.from({ length: count }, (_, n) => draw(n, n === edited ? "edited" : "plain"));
  const kinds = {
    html: (count: number, edited: number) =>
      `<main>${parts(count, edited, (n, word) => `<p>Paragraph ${n} is ${word} and says some words</p>`).join("")}</main>`,
    json: (count: number, edited: number) =>
      `[${parts(count, edited, (n, word) => JSON.stringify({ id: n, word })).join()}]`,
    text: (count: number, edited: number) =>
      parts(count, edited, (n, word) => `line ${n} ${word}`).join("\n"),
  };
  for (const [kind, make] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)["html"]][]) {
    const pairOf = (count: number) => {
      const [old, now] = [-1, count >> 1].map((edited) => snapshotOf(make(count, edited), kind, URL));
      return () => compare(old!, now!, emptyMemory());
    };
    const times = await measure(
      { small: pairOf(6_000), large: pairOf(60_000) },
      { rounds: 3, isHeavy: true },
    );
    console.log(`  ${kind}: 6,000 ${times.small.toFixed(0)}, 60,000 ${times.large.toFixed(0)}`);
    goal(`${kind}: ten times the size / ten times the time`, times.large / times.small / 10, "<=", 2, "×");
  }
}

function makePage(version: number): string {
  const random = seeded(5);
  const rows = Array.from({ length: 2600 }, (_, i) => {
    const price = random(900) + (i % 130 === 7 ? version : 0);
    return `<li class="row c${random(9)}"><a href="/item/${i}?ref=list">Item number ${i}</a><span class="price">$${price}.99</span><p>${"Some words about it. ".repeat(3)}</p></li>`;
  });
  const added =
    version === 1
      ? '<section><h2>News</h2><p>We moved.</p></section><script src="https://cdn.example.net/n.js"></script>'
      : "";
  return `<!doctype html><html><head><title>Shop</title><meta name="csrf" content="${version}abc9f3e2d1c0b"></head><body><main><h1>All items</h1>${added}<ul>${rows.join("\n")}</ul></main></body></html>`;
}
