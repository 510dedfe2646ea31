import type { StructureContext } from "../html-comparison/structure-change.ts";
import type { Page } from "../html-parsing/page.ts";
import { resolve } from "../html-parsing/resolve.ts";
import { subtract } from "../multisets.ts";
import { maskUrl } from "../noise/urls.ts";
import { severityOf } from "../severity/severity.ts";

type Address = { kind: "picture" | "frame"; url: string };

/**
 * Compares what chosen elements load: the addresses of their frames, and those of images in elements without words,
 * of which the image is all that was chosen. Elsewhere on a page such addresses change without anybody minding.
 */
export function compareChosenAddresses({ older, newer, found }: StructureContext): void {
  const [before, after] = [addressesIn(older), addressesIn(newer)];
  for (const kind of ["picture", "frame"] as const) {
    const old = before.filter((one) => one.kind === kind).map(({ url }) => url);
    const now = after.filter((one) => one.kind === kind).map(({ url }) => url);
    // Versions and tokens in an address don't count.
    const [gone, added] = [subtract(old, now, maskUrl), subtract(now, old, maskUrl)];
    // What comes or goes as a whole is told by others: a new frame by its host, an image by the selector.
    for (const [at, url] of added.slice(0, gone.length).entries()) {
      const summary =
        kind === "picture" ? `A picture changed: ${nameOf(url)}` : `A frame has another address: ${url}`;
      found.changes.push({
        kind,
        severity: kind === "picture" ? severityOf.pictureReplaced : severityOf.frameAddressChanged,
        summary: summary.slice(0, 300),
        where: "",
        before: (gone[at] ?? "").slice(0, 500),
        after: url.slice(0, 500),
      });
    }
  }
}

// More of them are a list whose words or picture tell what changed.
const maxAddresses = 200;

function addressesIn({ nodes, base }: Page): Address[] {
  const found: Address[] = [];
  for (let root = 0; root < nodes.length; root++) {
    const chosen = nodes[root];
    if (!chosen?.chosen) continue;
    const inside = nodes.slice(root, chosen.end);
    const hasWords = inside.some(({ kind, text }) => kind === "text" && text.trim() !== "");
    for (const { tag, attributes } of inside) {
      const kind = frameTags.has(tag) ? "frame" : pictureTags.has(tag) && !hasWords ? "picture" : null;
      const url = attributes.src ?? attributes.data ?? attributes.poster;
      if (kind && url?.trim() && found.length < maxAddresses)
        found.push({ kind, url: resolve(url.trim(), base) });
    }
    root = chosen.end - 1;
  }
  return found;
}

const frameTags = new Set(["iframe", "frame", "embed", "object"]);
const pictureTags = new Set(["img", "input", "video", "source"]);

const nameOf = (url: string) => url.split(/[?#]/, 1)[0]?.split("/").at(-1) || url;
