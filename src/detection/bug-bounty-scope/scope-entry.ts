import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import type { Difference } from "../file-formats/content-difference.ts";
import type { Block } from "../html-parsing/page.ts";
import type { TextChange } from "../text/compare-text.ts";

// A host, a wildcard or a URL, and nothing else.
const target = /^(?:https?:\/\/)?(?:\*\.)?(?:[\p{L}\d-]{1,63}\.){1,8}\p{L}{2,24}(?:[/:]\S*)?$/u;
const scope = /(?<!\p{L})(?:in[ _-]?)?scope(?!\p{L})/iu;
const outOfScope = /(?:out[ _-]?of|not in|outside)[ _-]?(?:the )?scope/iu;

/** Whether a line is a host, a wildcard or a URL, and nothing else. */
export const isTarget = (line: string): boolean => target.test(line);

/** Whether what follows a heading is in scope or out of it; null if the heading doesn't say. */
export function isScopeHeading(text: string): "in" | "out" | null {
  if (outOfScope.test(text)) return "out";
  return scope.test(text) ? "in" : null;
}

/** Finds changes that add a target to a list of what may be tested; the last heading says whether it is such a list. */
export function findScopeEntries(news: TextChange[], blocks: Block[]): Set<TextChange> {
  const addedTargets = new Map<Block, TextChange>();
  for (const change of news) {
    const { before, after } = change;
    if (after && !before && !isBoilerplate(after.area) && target.test(after.text))
      addedTargets.set(after, change);
  }
  const entries = new Set<TextChange>();
  if (addedTargets.size === 0) return entries;
  let isScope = false;
  for (const block of blocks) {
    if (block.role === "heading") isScope = scope.test(block.text) && !outOfScope.test(block.text);
    const change = isScope ? addedTargets.get(block) : undefined;
    if (change) entries.add(change);
  }
  return entries;
}

/** Marks what was added to the scope that a file of values or lines describes. */
export function markScopeEntries(found: Difference[], lines: string[] = []): void {
  const isList =
    lines.length > 0 && lines.filter((line) => target.test(line.trim())).length > lines.length / 2;
  for (const difference of found) {
    const { place, before, after, noise, moved } = difference;
    if (before !== null || after === null || noise || moved) continue;
    const isEntry = isList ? target.test(after.trim()) : scope.test(place) && !outOfScope.test(place);
    if (isEntry) difference.isImportant = true;
  }
}
