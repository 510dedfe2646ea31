// A front page as it changes over fifty checks: a clock, new articles on top that push the rest down, a counter.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";

const run = promisify(execFile);
const words =
  "city council vote market river night report team signal border summer bridge harbour paper voice number glass window record engine garden minister school train winter study island valley coast light".split(
    " ",
  );

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const sentence = (next: () => number, length: number) =>
  Array.from({ length }, () => words[Math.floor(next() * words.length)]).join(" ");

/** Smooth colored noise, as hard to compress as a photo. */
async function photo(seed: number): Promise<string> {
  const next = random(seed);
  const small = Buffer.from(Array.from({ length: 40 * 26 * 3 }, () => Math.floor(next() * 256)));
  const grain = await sharp({
    create: {
      width: 380,
      height: 240,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 6 },
    },
  })
    .png()
    .toBuffer();
  const image = await sharp(small, { raw: { width: 40, height: 26, channels: 3 } })
    .resize(380, 240, { kernel: "cubic" })
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 85 })
    .toBuffer();
  return `data:image/jpeg;base64,${image.toString("base64")}`;
}

async function article(seed: number): Promise<string> {
  const next = random(seed);
  const paragraphs = Array.from({ length: 2 }, () => `<p>${sentence(next, 45)}.</p>`).join("");
  return `<article><img width=380 height=240 src="${await photo(seed)}"><div><h2>${sentence(next, 7)}</h2>${paragraphs}</div></article>`;
}

/** Renders `count` revisions of the page, 1280 px wide and 8,000 high; every fifth shifts the content. */
export async function* screenshotSeries(chromium: string, count: number): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "series-"));
  try {
    const articles = await Promise.all(Array.from({ length: 28 }, (_, i) => article(i + 1)));
    const shots: Promise<Buffer>[] = [];
    for (let revision = 0; revision < count; revision++) {
      if (revision % 5 === 4)
        articles.splice(0, articles.length, await article(1000 + revision), ...articles.slice(0, -1));
      shots.push(shoot(chromium, join(folder, String(revision)), frontPage(articles, revision)));
      // Renders one ahead, to use a second core.
      if (shots.length > 1) yield (await shots.shift()) as Buffer;
    }
    for (const shot of shots) yield await shot;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function frontPage(articles: string[], revision: number): string {
  return `<!doctype html><meta charset=utf-8><style>body{margin:0;font:16px/1.5 sans-serif}header{background:linear-gradient(90deg,#123,#357);color:#fff;padding:24px}
    main{width:1000px;float:left;padding:16px}aside{width:200px;float:left;padding:16px;background:#eee}article{display:flex;gap:16px;height:270px}</style>
    <header><h1>The Daily Sample</h1>Updated at 08:${String(revision % 60).padStart(2, "0")}</header>
    <main>${articles.join("")}</main><aside><h3>Readers now</h3>${12_000 + revision * 37}<h3>Latest</h3>${sentence(random(revision), 60)}</aside>`;
}

async function shoot(chromium: string, name: string, page: string): Promise<Buffer> {
  await writeFile(`${name}.html`, page);
  await run(chromium, [
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--window-size=1280,8000",
    `--user-data-dir=${name}`,
    `--screenshot=${name}.png`,
    `file://${name}.html`,
  ]);
  const png = await readFile(`${name}.png`);
  await Promise.all(
    [`${name}.html`, `${name}.png`, name].map((path) => rm(path, { recursive: true, force: true })),
  );
  return png;
}
