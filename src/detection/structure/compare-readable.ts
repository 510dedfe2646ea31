import type { Page } from "../page.ts";
import type { StructureComparison } from "./structure-change.ts";

const code = new Set(["script", "style", "title", "noscript", "noframes", "noembed"]);

/** Says so when a page holds words and none of them could be read: silence about its text would be no proof. */
export function compareReadable(older: Page, newer: Page, { changes }: StructureComparison): void {
  if (!isUnread(newer)) return;
  const wasUnread = isUnread(older);
  changes.push({
    kind: "content",
    severity: wasUnread ? "info" : "important",
    summary: "The page holds text, but none of it could be read",
    where: "",
    before: null,
    after: wordsIn(newer)?.text.trim().slice(0, 300) ?? null,
  });
}

function isUnread(page: Page): boolean {
  return page.blocks.length === 0 && wordsIn(page) !== undefined;
}

function wordsIn({ nodes }: Page): Page["nodes"][number] | undefined {
  return nodes.find(
    ({ kind, text, parent }) =>
      kind === "text" && /\p{L}{2}/u.test(text) && !code.has(nodes[parent]?.tag ?? ""),
  );
}
