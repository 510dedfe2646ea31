import type { TextChange } from "./compare-text.ts";
import type { Difference } from "./content-difference.ts";
import { isFrame } from "./noise/text-key.ts";
import type { Block } from "./page.ts";

// A host, a wildcard or an address, and nothing beside it.
const target = /^(?:https?:\/\/)?(?:\*\.)?(?:[\p{L}\d-]{1,63}\.){1,8}\p{L}{2,24}(?:[/:]\S*)?$/u;
const scope = /(?<!\p{L})(?:in[ _-]?)?scope(?!\p{L})/iu;
const outside = /(?:out[ _-]?of|not in|outside)[ _-]?(?:the )?scope/iu;

/** The changes by which something came into a list of what may be tested: the last heading says whether it is one. */
export function scopeEntries(news: TextChange[], blocks: Block[]): Set<TextChange> {
  const came = new Map<Block, TextChange>();
  for (const change of news) {
    const { before, after } = change;
    if (after && !before && !isFrame(after.area) && target.test(after.text)) came.set(after, change);
  }
  const entries = new Set<TextChange>();
  if (came.size === 0) return entries;
  let isScope = false;
  for (const block of blocks) {
    if (block.role === "heading") isScope = scope.test(block.text) && !outside.test(block.text);
    const change = isScope ? came.get(block) : undefined;
    if (change) entries.add(change);
  }
  return entries;
}

/** Marks what came into the scope that a file of values or lines tells of. */
export function markScope(found: Difference[], lines: string[] = []): void {
  const isList =
    lines.length > 0 && lines.filter((line) => target.test(line.trim())).length > lines.length / 2;
  for (const difference of found) {
    const { place, before, after, noise, moved } = difference;
    if (before !== null || after === null || noise || moved) continue;
    const isEntry = isList ? target.test(after.trim()) : scope.test(place) && !outside.test(place);
    if (isEntry) difference.isImportant = true;
  }
}
