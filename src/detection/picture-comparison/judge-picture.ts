import { maskUrl } from "../noise/urls.ts";
import { idOf } from "../noise-memory/feedback.ts";
import type { KnownBox } from "../noise-memory/learned-noise.ts";
import { type NoiseMemory, nameBoxLocation } from "../noise-memory/noise-memory.ts";
import { decidedBy, kindOf } from "../noise-rules/noise-rule.ts";
import { severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { hostOf, isVendor } from "../third-party-hosts/hosts.ts";
import type { Box, Ignored, NoiseReason, Reason, Region } from "../verdict/verdict.ts";
import { areaOf, boxOf, sharedArea } from "./boxes.ts";
import type { ImageComparison } from "./compare-image.ts";

// Pictures with a lower similarity are a visual change; this is the job's similarity level, fixed by the specification.
const VISUAL_THRESHOLD = 80;
// In pixels. A difference smaller than a word on a badge is a rounding difference of the renderer.
const MIN_SIDE = 8;
const MIN_AREA = 200;
// A box covers a region if it overlaps this share of it; region edges are only as precise as the tiles.
const COVERED = 0.6;
const MAX_BOXES = 60;
// Pictures of these kinds only show their text, which is compared by format: reformatted JSON says the same.
const textKinds = new Set<Snapshot["kind"]>(["text", "json", "xml", "javascript"]);

/** A difference in a picture, in the form in which the noise memory takes it. */
export type PictureDifference = { id: string; box: Box };
type Judged = { reasons: Reason[]; ignored: Ignored[]; news: PictureDifference[] };

/**
 * Judges what the pictures add to the text comparison: any visible difference of an image file, another picture inside
 * a page, a different look of the whole page. Where a capture and its confirmation differed, differences are noise.
 */
export function judgePicture(
  previous: Snapshot,
  current: Snapshot,
  { similarity, regions, layoutOnly = [] }: ImageComparison,
  memory: NoiseMemory,
): Judged {
  const indexed = regions.map((region, index): Indexed => ({ ...region, index }));
  const isLayout = new Set(layoutOnly);
  const known = new Map(indexed.map((region) => [region, findVolatileBox(memory, boxOf(region))]));
  const steady = indexed.filter((region) => !known.get(region) && !isLayout.has(region.index));
  const ignored = indexed.flatMap((region) => {
    if (isLayout.has(region.index)) return [toIgnored(region, decidedBy("style.layout"))];
    const box = known.get(region);
    return box ? [toIgnored(region, decidedBy(box.said ? "said.difference" : "learned.picture"), box)] : [];
  });
  if (previous.kind === "image" && current.kind === "image") {
    return { reasons: steady.length === 0 ? [] : [imageReason(steady)], ignored, news: newsOf(steady) };
  }
  if (textKinds.has(previous.kind) && textKinds.has(current.kind)) return { reasons: [], ignored, news: [] };
  const isAll = isAllThatWasChosen(previous) && isAllThatWasChosen(current);
  const counts = (region: Indexed) => isAll || isLarge(region);
  const looksDifferent = isAll
    ? steady.length > 0
    : similarity < VISUAL_THRESHOLD && (regions.length === 0 || steady.some(isLarge));
  const changes: Reason["changes"] = [];
  const replacedRegions: Region[] = [];
  for (const region of steady) {
    const replacement = counts(region) ? findReplacedImage(previous, current, region) : null;
    if (replacement === null) continue;
    const { before, after } = replacement;
    const entry = toIgnored(region, kindOf("rotation.picture"));
    if (replacement.isRotation && !memory.kept.includes(entry.place))
      ignored.push({ ...entry, before, after, why: decidedBy("rotation.picture") });
    else {
      replacedRegions.push(region);
      changes.push({
        id: idOfBox(boxOf(region)),
        where: describePosition(region),
        before,
        after,
        region: region.index,
      });
    }
  }
  const reasons = changes.length > 0 ? [pictureReason(changes)] : [];
  // Of a chosen image, its name says more than how different it looks.
  if (looksDifferent && !(isAll && reasons.length > 0))
    reasons.unshift(looksReason(similarity, regions.length));
  return { reasons, ignored, news: newsOf(replacedRegions) };
}

/** Whether the picture is all that the job's selector chose: an image, a chart, a light, without any words. */
function isAllThatWasChosen({ chosen, text }: Snapshot): boolean {
  return chosen !== undefined && text.length === 0;
}

function looksReason(similarity: number, count: number): Reason {
  return {
    kind: "picture",
    severity: severityOf.looksDifferent,
    summary: `Looks ${Math.max(1, Math.round(100 - similarity))}% different`,
    changes: [],
    count,
  };
}

type Indexed = Region & { index: number };

/** Finds the known box that changes by itself and covers this one, unless the user wants reports there. */
function findVolatileBox({ boxes }: NoiseMemory, box: Box): KnownBox | undefined {
  if (boxes.some((other) => other.kept && overlap(other, box))) return undefined;
  return boxes.find((other) => covers(other, box));
}

const overlap = (one: Box, other: Box) => covers(one, other) || covers(other, one);

function newsOf(regions: Region[]): PictureDifference[] {
  return regions.map(boxOf).map((box) => ({ id: idOfBox(box), box }));
}

function idOfBox(box: Box): string {
  return idOf({ place: nameBoxLocation(box), before: null, after: null, frame: false });
}

/** Learns from a capture and its confirmation: where they differ, the picture changes by itself. */
export function learnPicturePair(
  memory: NoiseMemory,
  { regions, layoutOnly = [] }: ImageComparison,
  at?: string,
): NoiseMemory {
  const changing = regions.filter((_region, index) => !layoutOnly.includes(index));
  const seen = changing.flatMap(({ old, new: now }) => [old, now].filter((box) => box !== null));
  return addKnownBoxes(memory, at === undefined ? seen : seen.map((box) => ({ ...box, since: at })));
}

/** Adds boxes of the picture that change by themselves; the user's feedback on a box takes precedence. */
export function addKnownBoxes(memory: NoiseMemory, added: KnownBox[]): NoiseMemory {
  const withFeedback = memory.boxes.filter((box) => box.kept || box.said);
  const fresh = added.filter((box) => box.said || !withFeedback.some((other) => overlap(other, box)));
  const learned = memory.boxes.filter(
    (box) => !(box.kept || box.said) && !fresh.some((other) => covers(other, box)),
  );
  const retained = withFeedback.filter((box) => !fresh.some((other) => other.said && overlap(other, box)));
  return { ...memory, boxes: [...learned, ...retained, ...fresh].slice(-MAX_BOXES) };
}

type Replacement = { before: string; after: string; isRotation: boolean };

/** Finds the image that contains a region in both captures, under the same URL or another one. */
function findReplacedImage(
  previous: Snapshot,
  current: Snapshot,
  { old, new: now }: Region,
): Replacement | null {
  const imageAt = ({ images = [] }: Snapshot, box: Box | null) =>
    box && images.find((image) => covers(image.box, box));
  const before = imageAt(previous, old)?.src;
  const after = imageAt(current, now)?.src;
  if (before === undefined || after === undefined) return null;
  if (maskUrl(before) === maskUrl(after)) return { before, after, isRotation: false };
  // A carousel shows another picture that the page already contains; an ad vendor shows another one of its own.
  const isOnPage = namesFile(current.html, fileNameOf(before)) || namesFile(previous.html, fileNameOf(after));
  return { before, after, isRotation: isOnPage || isVendor(hostOf(after)) };
}

/** Whether a page names a file: "broken-can.png" doesn't name "can.png". */
function namesFile(html: string, name: string): boolean {
  for (let at = html.indexOf(name); at >= 0; at = html.indexOf(name, at + 1)) {
    if (!/[\w.-]/.test(html[at - 1] ?? "")) return true;
  }
  return false;
}

function fileNameOf(src: string): string {
  return src.split(/[?#]/, 1)[0]!.split("/").at(-1) || src;
}

function imageReason(regions: Indexed[]): Reason {
  const changes = regions.map((region) => ({
    id: idOfBox(boxOf(region)),
    region: region.index,
    where: describePosition(region),
    before: sizeOf(region.old),
    after: sizeOf(region.new),
  }));
  const at = regions.length === 1 ? `at ${changes[0]?.where}` : `in ${regions.length} places`;
  return {
    kind: "picture",
    severity: severityOf.imageFileChanged,
    summary: `The image changed ${at}`,
    changes,
    count: changes.length,
  };
}

function pictureReason(changes: Reason["changes"]): Reason {
  const [first] = changes;
  const src = first?.after ?? "";
  // A canvas has no address.
  const name = src === "none" || src === "" ? "a drawing on the page" : fileNameOf(src).slice(-60);
  const summary =
    changes.length === 1 ? `A picture changed: ${name}` : `${changes.length} pictures changed: ${name}`;
  return { kind: "picture", severity: severityOf.pictureReplaced, summary, changes, count: changes.length };
}

function toIgnored(region: Indexed, why: NoiseReason, box: KnownBox = boxOf(region)): Ignored {
  return {
    place: nameBoxLocation(box),
    before: sizeOf(region.old),
    after: sizeOf(region.new),
    why,
    ...(box.since === undefined ? {} : { since: box.since }),
    region: region.index,
  };
}

function describePosition(region: Region): string {
  const { x, y } = boxOf(region);
  return `${x}, ${y}`;
}

function sizeOf(box: Box | null): string | null {
  return box && `${box.width} × ${box.height}`;
}

function isLarge(region: Region): boolean {
  const box = boxOf(region);
  return Math.min(box.width, box.height) >= MIN_SIDE && areaOf(box) >= MIN_AREA;
}

function covers(outer: Box, inner: Box): boolean {
  const shared = sharedArea(outer, inner);
  return shared > 0 && shared >= COVERED * areaOf(inner);
}
