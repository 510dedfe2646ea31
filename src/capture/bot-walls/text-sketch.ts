import type { Snapshot } from "#contract/capture.ts";

type Text = readonly Pick<Snapshot["text"][number], "text">[];

const sketchSize = 48;
/** Fewer blocks than this say little about a page. */
const fewest = 4;

/** A few numbers that stand for the text of a page: the smallest hashes of its blocks. */
export function sketchText(text: Text): number[] {
  return [...hashesOf(text)].sort((a, b) => a - b).slice(0, sketchSize);
}

/** The share of an earlier page's blocks that a page still has; null if the earlier page had too few to say. */
export function shareLeft(sketch: number[] | undefined, text: Text): number | null {
  if (!sketch || sketch.length < fewest) return null;
  const now = hashesOf(text);
  return sketch.filter((hash) => now.has(hash)).length / sketch.length;
}

/** The share of a page's blocks that an earlier page had too, of those that its sketch can tell; null if too few. */
export function shareKnown(sketch: number[] | undefined, text: Text): number | null {
  if (!sketch) return null;
  // A full sketch holds the smallest hashes only, so that it says nothing about larger ones.
  const largest = sketch.length < sketchSize ? Infinity : (sketch.at(-1) ?? 0);
  const known = [...hashesOf(text)].filter((hash) => hash <= largest);
  return known.length < fewest ? null : known.filter((hash) => sketch.includes(hash)).length / known.length;
}

const hashesOf = (text: Text) => new Set(text.map((block) => hashOf(block.text.trim().slice(0, 500))));

/** FNV-1a with 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
