import { Feed } from "feed";
import type { Change } from "#contract/change.ts";
import { escapeHtml } from "#contract/escape-html.ts";
import type { FeedFormat } from "#contract/feed-address.ts";

type FeedHead = {
  id: string;
  title: string;
  home: string;
  urls: { atom: string; rss: string; json: string };
  since: Date;
};

export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml; charset=utf-8",
  rss: "application/rss+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
};

/** Changes as a feed. What pages say is text in it, never markup. */
export function writeFeed(head: FeedHead, changes: Change[], format: FeedFormat): string {
  const title = clean(`Watchglass: ${head.title}`);
  if (format === "json") return JSON.stringify(asJson(head, title, changes), null, 1);
  const feed = new Feed({
    id: head.id,
    title,
    description: clean(`What changed: ${head.title}`),
    link: head.home,
    generator: "Watchglass",
    copyright: "",
    updated: changes[0] ? new Date(changes[0].at) : head.since,
    feedLinks: { atom: head.urls.atom, rss: head.urls.rss },
    author: { name: "Watchglass" },
  });
  for (const change of changes) {
    feed.addItem({
      id: idOf(change),
      title: titleOf(change),
      link: change.link,
      date: new Date(change.at),
      published: new Date(change.at),
      description: escapeHtml(textOf(change)).replaceAll("\n", "<br>"),
      content: htmlOf(change),
      category: [{ name: change.severity }],
    });
  }
  return format === "atom" ? feed.atom1() : feed.rss2();
}

function asJson(head: FeedHead, title: string, changes: Change[]) {
  return {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: head.home,
    feed_url: head.urls.json,
    items: changes.map((change) => ({
      id: idOf(change),
      url: change.link,
      external_url: change.url,
      title: titleOf(change),
      summary: clean(change.summary),
      content_text: textOf(change),
      content_html: htmlOf(change),
      date_published: change.at,
      tags: [change.severity],
    })),
  };
}

const idOf = ({ executionId }: Change) => `urn:uuid:${executionId}`;
const titleOf = ({ job, summary }: Change) => clean(`${job}: ${summary}`);

function textOf({ summary, url, lines, moreLines }: Change): string {
  return [
    summary,
    ...lines.map(({ sign, text }) => `${sign} ${text}`),
    ...(moreLines > 0 ? [`… ${moreLines} more`] : []),
    url,
  ]
    .map((line) => clean(line.replace(/\s+/g, " ")))
    .join("\n");
}

function htmlOf({ summary, url, lines, moreLines }: Change): string {
  const line = ({ sign, text }: Change["lines"][number]) => {
    const tag = sign === "+" ? "ins" : "del";
    return `<div>${sign} <${tag}>${escapeHtml(clean(text))}</${tag}></div>`;
  };
  return [
    `<p>${escapeHtml(clean(summary))}</p>`,
    ...lines.map(line),
    ...(moreLines > 0 ? [`<p>… ${moreLines} more</p>`] : []),
    `<p>${escapeHtml(clean(url))}</p>`,
  ].join("");
}

/** XML has no way to write most control characters. */
function clean(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\u{fffd}");
}
