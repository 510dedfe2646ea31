import { extractPage } from "../html-parsing/extract-page.ts";
import { classifyContent } from "./classify-content.ts";

/** Splits the text of a page into its main content and its boilerplate, each block on a line of its own. */
export function splitContent(html: string, url = ""): { content: string; boilerplate: string } {
  const page = extractPage(html, url);
  const isContent = classifyContent(page);
  const textWhere = (wanted: boolean) =>
    page.blocks
      .filter((_, at) => isContent[at] === wanted)
      .map(({ text }) => text)
      .join("\n");
  return { content: textWhere(true), boilerplate: textWhere(false) };
}
