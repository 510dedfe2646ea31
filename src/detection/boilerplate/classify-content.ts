import type { Page } from "../html-parsing/page.ts";
import { featuresOf } from "./content-features.ts";
import { contentTrees, startScore } from "./content-model.ts";

/** Whether each block of a page belongs to its main content, decided by a fitted model. Linear in the page's size. */
export function classifyContent(page: Pick<Page, "blocks" | "nodes">): boolean[] {
  return featuresOf(page).map((features) => scoreContent(features) > 0);
}

/** The logarithm of the odds that a block with these features is main content. */
function scoreContent(features: number[]): number {
  let score = startScore;
  for (const tree of contentTrees) {
    const at = isBelow(features, tree[0], tree[1]) ? 2 : 6;
    score += isBelow(features, tree[at] ?? 0, tree[at + 1] ?? 0) ? (tree[at + 2] ?? 0) : (tree[at + 3] ?? 0);
  }
  return score;
}

function isBelow(features: number[], feature: number, threshold: number): boolean {
  return (features[feature] ?? 0) < threshold;
}
