import type { Page } from "../html-parsing/page.ts";
import { severityOf } from "../severity/severity.ts";
import type { StructureContext } from "./structure-change.ts";

const codeTags = new Set(["script", "style", "title", "noscript", "noframes", "noembed"]);

/** Reports a page whose text could not be read at all: finding no change in its text would then prove nothing. */
export function compareReadable({ older, newer, found }: StructureContext): void {
  if (!isUnreadable(newer)) return;
  const wasUnreadable = isUnreadable(older);
  found.changes.push({
    kind: "content",
    severity: wasUnreadable ? severityOf.pageStillUnreadable : severityOf.pageUnreadable,
    summary: "The page has text, but none of it could be read",
    where: "",
    before: null,
    after: findText(newer)?.text.trim().slice(0, 300) ?? null,
  });
}

function isUnreadable(page: Page): boolean {
  return page.blocks.length === 0 && findText(page) !== undefined;
}

function findText({ nodes }: Page): Page["nodes"][number] | undefined {
  return nodes.find(
    ({ kind, text, parent }) =>
      kind === "text" && /\p{L}{2}/u.test(text) && !codeTags.has(nodes[parent]?.tag ?? ""),
  );
}
