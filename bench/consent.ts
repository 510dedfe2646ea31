// What consent handling does to real pages: `npm run bench:consent -- FOLDER…` serves the captures in these folders
// (page.html, or old.html and new.html with meta.json) on loopback and captures each with consent switched on and off.
//   --pages N    so many pages, spread over all (200)
//   --part 2/5   only the second fifth of them, for short runs
// Prints what a rule did to which page: every click that reached the page, with where it was, and every visible word
// that is gone. Pages load nothing from elsewhere. Fails if a click was outside of a banner. Then, for the pairs of
// which nothing is to be alerted, whether an alert came with consent handling and without, and the time of a capture
// of pages without a banner, both ways in turn (ROUNDS, 5).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type CaptureRequest, capture } from "#capture/capture-page.ts";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import { openCapturer } from "./capture/open-capturer.ts";
import { interleaved, median, rate, ratio } from "./capture/ratios.ts";
import { show } from "./capture/show.ts";

const width = 2;
const given = process.argv.slice(2);
const count = Number(/--pages (\d+)/.exec(given.join(" "))?.[1] ?? 200);
const [, part = 1, parts = 1] = (/--part (\d+)\/(\d+)/.exec(given.join(" ")) ?? []).map(Number);
const folders = given.filter((argument) => !/^(?:--.*|\d+|\d+\/\d+)$/.test(argument));

type Page = { name: string; path: string };
type Pair = { name: string; old: string; new: string };

const { pages, pairs } = findPages();
/**
 * Notes each click that reaches the page, before the page's own scripts run: the words, the way to it, and whether it is
 * inside a box that speaks of cookies, by its name or because it lies over the page.
 */
const recorder = `<script>addEventListener("click", (event) => {
  const elements = event.composedPath().filter((each) => each.localName && !/^(html|body|main)$/.test(each.localName));
  const about = /cookie|consent|gdpr|cmp|privacy|data-?protection|onetrust|didomi/i;
  const isBox = (each) => each.innerText?.length < 5000 && about.test(each.innerText) &&
    (/fixed|sticky|absolute/.test(getComputedStyle(each).position) || /dialog/.test(each.getAttribute("role") ?? ""));
  const isNamed = (each) => about.test(each.id + " " + (each.getAttribute("class") ?? ""));
  const isInBanner = elements.some((each) => isNamed(each) || isBox(each));
  const path = elements.slice(0, 6)
    .map((each) => each.localName + (each.id ? "#" + each.id : "") + (each.className?.trim ? "." + each.className.trim().split(/\\s+/).join(".") : ""));
  const all = JSON.parse(document.documentElement.dataset.clicked ?? "[]");
  all.push([event.target.innerText?.trim().slice(0, 60) ?? "", path.join(" < "), isInBanner]);
  document.documentElement.dataset.clicked = JSON.stringify(all);
}, true)</script>`;
const site = createServer((request, response) => {
  const page = served.get(request.url ?? "");
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (page === undefined) return void response.writeHead(404).end();
  const html = readFileSync(page, "utf8");
  const head = /<head\b[^>]*>/i.exec(html);
  const at = head ? head.index + head[0].length : 0;
  response.end(html.slice(0, at) + recorder + html.slice(at));
});
const served = new Map<string, string>();
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
await using capturer = await openCapturer(width, { resolve: async () => [] });

async function take(path: string, consent: "reject" | "leave"): Promise<Snapshot | null> {
  const name = `/${encodeURIComponent(path)}`;
  served.set(name, path);
  const request: CaptureRequest = { url: origin + name, browser: { consent } };
  const result = await capture(capturer.deps, request).catch(() => null);
  return result?.ok && !result.unchanged ? result.snapshot : null;
}

const acted = new Set<string>();
const calm: string[] = [];
let clicks = 0;
let outside = 0;
let failed = 0;
await rate(pages.length, width, async (at) => {
  const { name, path } = pages[at] as Page;
  const [on, off] = [await take(path, "reject"), await take(path, "leave")];
  if (!on || !off) return void (failed += 1);
  if (!on.consent) return void calm.push(path);
  acted.add(path);
  const { rule, action, result, text } = on.consent;
  const clicked = clicksOf(on.html);
  clicks += clicked.length;
  console.log(`${name}: ${action} ${result} by ${rule}: ${text.slice(0, 120)}`);
  for (const [words, where, isInBanner] of clicked) {
    if (!isInBanner) outside += 1;
    console.log(`  ${isInBanner ? "clicked" : "CLICKED OUTSIDE"} “${words}” at ${where}`);
  }
  const left = new Set(on.text.map((block) => block.text));
  const gone = off.text.map((block) => block.text).filter((words) => !left.has(words));
  if (gone.length > 0) console.log(`  hidden: ${gone.join(" | ").slice(0, 400)}`);
});
console.log(`${pages.length} pages, ${failed} not captured: a rule acted on ${acted.size}, ${clicks} clicks`);
show("clicks outside of a banner", outside, "0");

/** Only a pair on which a rule acts can differ. */
const alerts = { on: 0, off: 0, pairs: 0 };
for (const pair of pairs.filter((each) => acted.has(each.old) || acted.has(each.new))) {
  const captures = await Promise.all(
    (["reject", "leave"] as const).map(async (consent) => [
      await take(pair.old, consent),
      await take(pair.new, consent),
    ]),
  );
  const [on, off] = captures.map(([before, after]) =>
    before && after ? compare(before, after, emptyMemory()).verdict : null,
  );
  if (!on || !off) continue;
  alerts.pairs += 1;
  if (on.changed) alerts.on += 1;
  if (off.changed) alerts.off += 1;
  if (on.changed !== off.changed) console.log(`${pair.name}: on: ${on.summary}; off: ${off.summary}`);
}
console.log(`${alerts.pairs} quiet pairs with a banner: ${alerts.on} alerts with, ${alerts.off} without`);

const timed = calm.slice(0, 12);
const measure = (consent: "reject" | "leave") => () =>
  rate(timed.length, width, (at) => take(timed[at] as string, consent));
const rates = await interleaved(Number(process.env.ROUNDS ?? 5), {
  on: measure("reject"),
  off: measure("leave"),
});
show("pages without a banner: captures/s", median(rates.on ?? []));
show("pages without a banner: with / without consent handling", ratio(rates.on, rates.off), "at least 0.95");
site.close();
process.exitCode = outside > 0 ? 1 : 0;

function clicksOf(html: string): [words: string, where: string, isInBanner: boolean][] {
  const [, noted = "[]"] =
    /^<!doctype[^>]*>\s*<html[^>]*? data-clicked="([^"]*)"|<html[^>]*? data-clicked="([^"]*)"/i
      .exec(html.slice(0, 200_000))
      ?.filter((each) => each !== undefined) ?? ["", "[]"];
  return JSON.parse(
    noted.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

function findPages(): { pages: Page[]; pairs: Pair[] } {
  const all: Page[] = [];
  const quiet: Pair[] = [];
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) {
      const files = ["page.html", "new.html", "old.html"].map((file) => join(folder, name, file));
      const [page, after, before] = files as [string, string, string];
      if (existsSync(page)) all.push({ name, path: page });
      if (!existsSync(after) || !existsSync(before)) continue;
      all.push({ name, path: after });
      const { label } = JSON.parse(readFileSync(join(folder, name, "meta.json"), "utf8")) as {
        label: string;
      };
      if (label === "noise" || label === "identical") quiet.push({ name, old: before, new: after });
    }
  const step = Math.max(1, all.length / count);
  const chosen = Array.from(
    { length: Math.min(count, all.length) },
    (_, at) => all[Math.floor(at * step)] as Page,
  );
  const size = Math.ceil(chosen.length / parts);
  return { pages: chosen.slice((part - 1) * size, part * size), pairs: quiet };
}
