import { canonicalHtml } from "../html-formatting/canonical-html.ts";
import { addLiveText, extractPage } from "../html-parsing/extract-page.ts";
import { markChosen, markRendered } from "../html-parsing/mark-rendered.ts";
import type { Page } from "../html-parsing/page.ts";
import { type HtmlNode, parseHtml } from "../html-parsing/parse-html.ts";
import { memoizeByObject } from "../memoize.ts";
import { onRulesSwitched } from "../noise-rules/noise-rule.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

export type Html = Pick<
  Snapshot,
  | "html"
  | "url"
  | "finalUrl"
  | "text"
  | "scripts"
  | "thirdPartyHosts"
  | "via"
  | "headers"
  | "rendered"
  | "chosen"
>;

/** Reads both pages in the same way: rendering data that only one capture has can't prove a difference. */
export function readPages(one: Html, other: Html): [Page, Page] {
  const read = parse(one).isRendered && parse(other).isRendered ? readRendered : readUnrendered;
  // Comparing overwrites the keys of the blocks, so each comparison gets its own copies.
  const copyBlocks = (page: Page): Page => ({ ...page, blocks: page.blocks.map((block) => ({ ...block })) });
  return [copyBlocks(read(one)), copyBlocks(read(other))];
}

const parse = memoizeByObject(({ html, rendered, chosen }: Html) => {
  const nodes = parseHtml(html);
  markChosen(nodes, chosen);
  return { nodes, isRendered: markRendered(nodes, rendered) };
});
const readRendered = memoizeByObject((html: Html) => readPage(html, parse(html).nodes, true));
const readUnrendered = memoizeByObject((html: Html) => readPage(html, parse(html).nodes, false));
onRulesSwitched(() => {
  readRendered.forget();
  readUnrendered.forget();
});
/** A page as canonical HTML, line by line. */
export const printPage = memoizeByObject((html: Html) => canonicalHtml(html.html, parse(html).nodes));

function readPage(
  { html, url, finalUrl, text, scripts, thirdPartyHosts, via, headers }: Html,
  nodes: HtmlNode[],
  isRendered: boolean,
): Page {
  const page = extractPage(html, finalUrl || url, nodes, isRendered);
  const respondedAt = Date.parse(headers.find(([name]) => name === "date")?.[1] ?? "");
  if (!Number.isNaN(respondedAt)) page.now = respondedAt;
  addLiveText(page, text);
  if (via === "browser") page.loaded = { scripts, hosts: thirdPartyHosts };
  return page;
}
