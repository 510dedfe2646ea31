import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ODiffServer } from "odiff-bin";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import sharp from "sharp";
import { compareImage, type Image } from "#detection/picture-comparison/compare-image.ts";
import { drawPage, encode, paintOver, pushDown, WIDTH } from "./make-picture.ts";
import { goal, measure } from "./measure.ts";

const HEIGHT = 8000;

async function decode(png: Buffer): Promise<Image> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

export function decodeBoth(old: Buffer, now: Buffer): Promise<[Image, Image]> {
  return Promise.all([decode(old), decode(now)]);
}

const hashOf = (png: Buffer) => createHash("sha256").update(png).digest("hex");

export async function benchPictures(): Promise<void> {
  console.log(`pictures, ${WIDTH}×${HEIGHT} (ms, median of 5, PNG decoding included)`);
  const folder = mkdtempSync(join(tmpdir(), "watchglass-bench-"));
  const server = startOdiff();
  try {
    for (const kind of ["text", "photo"] as const) {
      const page = drawPage(kind, HEIGHT);
      const shifted = pushDown(page, 100).subarray(0, page.length);
      const old = await encode(page);
      await benchSame(kind, old);
      await benchPair(`${kind}, 1 % changed`, old, await encode(paintOver(page, HEIGHT)), folder, server);
      await benchPair(`${kind}, shifted 100 px`, old, await encode(shifted), folder, server);
      await reportShift(kind, old, await encode(pushDown(page, 100)));
    }
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true });
  }
}

function startOdiff(): ODiffServer | undefined {
  try {
    return new ODiffServer();
  } catch {
    console.log("  odiff has no binary for this machine: skipped");
    return undefined;
  }
}

async function benchSame(kind: string, png: Buffer): Promise<void> {
  // The store identifies the old picture by the hash of its file: an equal picture needs no other work.
  const knownHash = hashOf(png);
  const times = await measure({ same: () => hashOf(png) === knownHash });
  goal(`${kind}, same bytes`, times.same, "<=", 15, " ms");
}

async function benchPair(
  name: string,
  old: Buffer,
  now: Buffer,
  folder: string,
  server: ODiffServer | undefined,
): Promise<void> {
  const files = ["old.png", "new.png", "diff.png"].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  writeFileSync(files[0], old);
  writeFileSync(files[1], now);
  const times = await measure(
    {
      decode: () => decodeBoth(old, now),
      own: async () => compareImage(...(await decodeBoth(old, now))),
      pixelmatch: () => comparePixels(old, now),
      odiff: () => server?.compare(...files, { antialiasing: true }),
    },
    { isHeavy: true },
  );
  const formattedTimes = Object.entries(times)
    .filter(([tool]) => server || tool !== "odiff")
    .map(([tool, time]) => `${tool} ${time.toFixed(0)}`);
  console.log(`  ${name}: ${formattedTimes.join(", ")}`);
  goal(`${name}: own / decoding both`, times.own / times.decode, "<=", 2, "×");
  goal(`${name}: pixelmatch with pngjs / own`, times.pixelmatch / times.own, ">=", 4, "×");
  if (server) goal(`${name}: odiff server / own`, times.odiff / times.own, ">=", 1.5, "×");
}

function comparePixels(old: Buffer, now: Buffer): number {
  const a = PNG.sync.read(old);
  const b = PNG.sync.read(now);
  return pixelmatch(a.data, b.data, undefined, a.width, a.height);
}

async function reportShift(kind: string, old: Buffer, now: Buffer): Promise<void> {
  const { regions } = compareImage(...(await decodeBoth(old, now)));
  const [region] = regions;
  const rows = regions.length === 1 && region?.kind === "added" ? (region.new?.height ?? 0) : Number.NaN;
  console.log(`  ${kind}, 100 rows inserted: ${JSON.stringify(regions)}`);
  goal(`${kind}: rows reported as inserted, nothing else`, rows, "<=", 100, "");
  goal(`${kind}: rows reported as inserted, nothing else`, rows, ">=", 100, "");
}
