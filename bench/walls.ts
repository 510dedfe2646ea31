// Which pages of a corpus are taken for a wall: `npm run bench:walls -- FOLDER…` reads page.html, and old.html and
// new.html with meta.json, as a check reads them, each alone and after the other capture of its pair.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recognizeStandIn, textLengthOf } from "#capture/bot-walls/recognize-stand-in.ts";
import { recognizeWall } from "#capture/bot-walls/recognize-wall.ts";
import { sketchText } from "#capture/bot-walls/text-sketch.ts";
import { extractPage } from "#detection/html-parsing/extract-page.ts";
import { parseHtml } from "#detection/html-parsing/parse-html.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";

let pages = 0;
let found = 0;
for (const folder of process.argv.slice(2))
  for (const name of readdirSync(folder).sort()) {
    const at = (file: string) => join(folder, name, file);
    if (existsSync(at("page.html"))) judge(name, read(at("page.html")), null);
    if (!existsSync(at("old.html")) || !existsSync(at("new.html"))) continue;
    const { label } = JSON.parse(readFileSync(at("meta.json"), "utf8")) as { label: string };
    const [before, after] = [read(at("old.html")), read(at("new.html"))];
    judge(`${name} (${label}), old`, before, after);
    judge(`${name} (${label}), new`, after, before);
  }
console.log(`${found} of ${pages} pages are taken for a wall`);

function judge(name: string, seen: Snapshot, other: Snapshot | null): void {
  pages += 1;
  const hasPassword = (page: Snapshot) => /type=["']?password/i.test(page.html);
  const earlier = other && {
    finalUrl: other.finalUrl,
    textLength: textLengthOf(other.text),
    textSketch: sketchText(other.text),
    hasPassword: hasPassword(other),
    hasPasswordNow: hasPassword(seen),
  };
  const wall = recognizeWall(seen, earlier) ?? recognizeStandIn(seen, earlier);
  if (!wall) return;
  found += 1;
  console.log(
    `${name}: ${wall.kind}: ${seen.text
      .map(({ text }) => text)
      .join(" | ")
      .slice(0, 200)}`,
  );
}

function read(path: string): Snapshot {
  const html = readFileSync(path, "utf8");
  const url = "https://watched.example/page";
  const { blocks } = extractPage(html, url, parseHtml(html));
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim() ?? "";
  return {
    ...snapshotOf(html, "html", url),
    title,
    // A check hides consent banners.
    text: blocks.filter((block) => block.hidden === "" && block.zone !== "consent"),
  };
}
