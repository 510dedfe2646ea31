import type { ImageComparison } from "./compare-image.ts";
import { hostOf, isVendor } from "./noise/hosts.ts";
import { idOf } from "./noise/said.ts";
import { maskUrl } from "./noise/urls.ts";
import { type KnownBox, type NoiseMemory, placeOfBox } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Box, Ignored, NoiseReason, Reason, Region } from "./verdict.ts";

// Pictures less alike than this are a visual change; the job's similarity level, fixed by the specification.
const VISUAL_THRESHOLD = 80;
// What is smaller than a word on a badge is a rounding of the renderer's.
const MIN_SIDE = 8;
const MIN_AREA = 200;
// A region belongs to what covers this share of it: edges of a region are as rough as its tiles.
const COVERED = 0.6;
const MAX_BOXES = 60;
// Their pictures show nothing but their text, which is compared as what it is: JSON may be laid out anew and say the same.
const written = new Set<Snapshot["kind"]>(["text", "json", "xml", "javascript"]);

/** What differs in a picture, as the memory may be told of it. */
export type PictureNews = { id: string; box: Box };
type Judged = { reasons: Reason[]; ignored: Ignored[]; news: PictureNews[] };

/**
 * What the pictures add to what the text said: any visible difference of an image, another picture inside a page,
 * another look of the whole. What two captures of one moment showed differently is noise there.
 */
export function judgePicture(
  previous: Snapshot,
  current: Snapshot,
  { similarity, regions }: ImageComparison,
  memory: NoiseMemory,
): Judged {
  const indexed = regions.map((region, index): Indexed => ({ ...region, index }));
  const known = new Map(indexed.map((region) => [region, volatileAround(memory, boxOf(region))]));
  const steady = indexed.filter((region) => !known.get(region));
  const ignored = indexed.flatMap((region) => {
    const box = known.get(region);
    return box ? [listed(region, box.said ? "said" : "learned", box)] : [];
  });
  if (previous.kind === "image" && current.kind === "image") {
    return { reasons: steady.length === 0 ? [] : [imageReason(steady)], ignored, news: newsOf(steady) };
  }
  if (written.has(previous.kind) && written.has(current.kind)) return { reasons: [], ignored, news: [] };
  const reasons: Reason[] = [];
  if (similarity < VISUAL_THRESHOLD && (regions.length === 0 || steady.some(isLarge))) {
    reasons.push({
      kind: "picture",
      severity: "notice",
      summary: `Looks ${Math.round(100 - similarity)} % different`,
      changes: [],
      count: regions.length,
    });
  }
  const changes: Reason["changes"] = [];
  const exchanges: Region[] = [];
  for (const region of steady) {
    const exchange = isLarge(region) ? exchanged(previous, current, region) : null;
    if (exchange === null) continue;
    const { before, after } = exchange;
    const entry = listed(region, "rotation");
    if (exchange.isRotation && !memory.kept.includes(entry.place)) ignored.push({ ...entry, before, after });
    else {
      exchanges.push(region);
      changes.push({
        id: idOfBox(boxOf(region)),
        where: placeOf(region),
        before,
        after,
        region: region.index,
      });
    }
  }
  if (changes.length > 0) reasons.push(pictureReason(changes));
  return { reasons, ignored, news: newsOf(exchanges) };
}

type Indexed = Region & { index: number };

/** What is known to move by itself there, unless the user wants to hear of it. */
function volatileAround({ boxes }: NoiseMemory, box: Box): KnownBox | undefined {
  if (boxes.some((other) => other.kept && overlap(other, box))) return undefined;
  return boxes.find((other) => covers(other, box));
}

const overlap = (one: Box, other: Box) => covers(one, other) || covers(other, one);

function newsOf(regions: Region[]): PictureNews[] {
  return regions.map(boxOf).map((box) => ({ id: idOfBox(box), box }));
}

function idOfBox(box: Box): string {
  return idOf({ place: placeOfBox(box), before: null, after: null, frame: false });
}

/** The memory once two captures of one moment were looked at: where they differ the picture moves by itself. */
export function learnPictureTwin(
  memory: NoiseMemory,
  { regions }: ImageComparison,
  at?: string,
): NoiseMemory {
  const seen = regions.flatMap(({ old, new: now }) => [old, now].filter((box) => box !== null));
  return withBoxes(memory, at === undefined ? seen : seen.map((box) => ({ ...box, since: at })));
}

/** The memory with parts of the picture that move by themselves; of those the user spoke of his word stays. */
export function withBoxes(memory: NoiseMemory, added: KnownBox[]): NoiseMemory {
  const said = memory.boxes.filter((box) => box.kept || box.said);
  const fresh = added.filter((box) => box.said || !said.some((other) => overlap(other, box)));
  const rest = memory.boxes.filter(
    (box) => !(box.kept || box.said) && !fresh.some((other) => covers(other, box)),
  );
  const spoken = said.filter((box) => !fresh.some((other) => other.said && overlap(other, box)));
  return { ...memory, boxes: [...rest, ...spoken, ...fresh].slice(-MAX_BOXES) };
}

type Exchange = { before: string; after: string; isRotation: boolean };

/** The image that a region lies in, if there was one before: under its own address, or another one's. */
function exchanged(previous: Snapshot, current: Snapshot, { old, new: now }: Region): Exchange | null {
  const imageAt = ({ images = [] }: Snapshot, box: Box | null) =>
    box && images.find((image) => covers(image.box, box));
  const before = imageAt(previous, old)?.src;
  const after = imageAt(current, now)?.src;
  if (before === undefined || after === undefined) return null;
  if (maskUrl(before) === maskUrl(after)) return { before, after, isRotation: false };
  // A carousel shows another of the pictures that the page holds anyway, an advertiser another of his.
  const isHeld = holds(current.html, nameOf(before)) || holds(previous.html, nameOf(after));
  return { before, after, isRotation: isHeld || isVendor(hostOf(after)) };
}

/** Whether a page names a file: "can.png" is not in "broken-can.png". */
function holds(html: string, name: string): boolean {
  for (let at = html.indexOf(name); at >= 0; at = html.indexOf(name, at + 1)) {
    if (!/[\w.-]/.test(html[at - 1] ?? "")) return true;
  }
  return false;
}

function nameOf(src: string): string {
  return src.split(/[?#]/, 1)[0]!.split("/").at(-1) || src;
}

function imageReason(regions: Indexed[]): Reason {
  const changes = regions.map((region) => ({
    id: idOfBox(boxOf(region)),
    region: region.index,
    where: placeOf(region),
    before: sizeOf(region.old),
    after: sizeOf(region.new),
  }));
  const at = regions.length === 1 ? `at ${changes[0]?.where}` : `in ${regions.length} places`;
  return {
    kind: "picture",
    severity: "notice",
    summary: `The image changed ${at}`,
    changes,
    count: changes.length,
  };
}

function pictureReason(changes: Reason["changes"]): Reason {
  const [first] = changes;
  const name = nameOf(first?.after ?? "").slice(-60);
  const summary =
    changes.length === 1 ? `A picture changed: ${name}` : `${changes.length} pictures changed: ${name}`;
  return { kind: "picture", severity: "notice", summary, changes, count: changes.length };
}

function listed(region: Indexed, why: NoiseReason, box: KnownBox = boxOf(region)): Ignored {
  return {
    place: placeOfBox(box),
    before: sizeOf(region.old),
    after: sizeOf(region.new),
    why,
    ...(box.since === undefined ? {} : { since: box.since }),
    region: region.index,
  };
}

function placeOf(region: Region): string {
  const { x, y } = boxOf(region);
  return `${x}, ${y}`;
}

function sizeOf(box: Box | null): string | null {
  return box && `${box.width} × ${box.height}`;
}

function boxOf(region: Region): Box {
  return region.new ?? region.old ?? { x: 0, y: 0, width: 0, height: 0 };
}

function isLarge(region: Region): boolean {
  const { width, height } = boxOf(region);
  return Math.min(width, height) >= MIN_SIDE && width * height >= MIN_AREA;
}

function covers(outer: Box, inner: Box): boolean {
  const width = Math.min(outer.x + outer.width, inner.x + inner.width) - Math.max(outer.x, inner.x);
  const height = Math.min(outer.y + outer.height, inner.y + inner.height) - Math.max(outer.y, inner.y);
  return width > 0 && height > 0 && width * height >= COVERED * inner.width * inner.height;
}
