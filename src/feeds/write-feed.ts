import { generateAtomFeed, generateRssFeed } from "feedsmith";
import type { Change } from "#contract/change.ts";
import { escapeHtml } from "#contract/escape-html.ts";
import type { FeedFormat } from "#contract/feed-address.ts";
import { escapeXml, replaceInvalidXml } from "#contract/xml-text.ts";

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

/** The tag of changes that a condition held back, next to their severity. */
const withoutAlertTag = "no-alert";

/** Writes changes as a feed. Text from pages is inserted as text, never as markup. */
export function writeFeed(head: FeedHead, changes: Change[], format: FeedFormat): string {
  const title = replaceInvalidXml(`Watchglass: ${head.title}`);
  if (format === "json") return JSON.stringify(asJson(head, title, changes), null, 1);
  return format === "atom" ? asAtom(head, title, changes) : asRss(head, title, changes);
}

const updatedOf = ({ since }: FeedHead, [newest]: Change[]) => (newest ? new Date(newest.at) : since);

function asAtom(head: FeedHead, title: string, changes: Change[]): string {
  const text = (value: string) => ({ type: "text" as const, value });
  return generateAtomFeed({
    id: head.id,
    title: text(title),
    subtitle: text(describeFeed(head)),
    updated: updatedOf(head, changes),
    generator: { text: "Watchglass" },
    authors: [{ name: "Watchglass" }],
    links: [
      { rel: "self", href: head.urls.atom },
      { rel: "alternate", href: head.home },
    ],
    entries: changes.map((change) => ({
      id: idOf(change),
      title: text(titleOf(change)),
      updated: new Date(change.at),
      published: new Date(change.at),
      links: [{ rel: "alternate", href: change.link }],
      summary: text(textOf(change)),
      content: { type: "html" as const, value: htmlOf(change) },
      categories: tagsOf(change).map((term) => ({ term })),
    })),
  });
}

function asRss(head: FeedHead, title: string, changes: Change[]): string {
  return generateRssFeed({
    title,
    link: head.home,
    description: describeFeed(head),
    lastBuildDate: updatedOf(head, changes),
    generator: "Watchglass",
    atom: { links: [{ rel: "self", href: head.urls.rss, type: "application/rss+xml" }] },
    items: changes.map((change) => ({
      title: titleOf(change),
      link: change.link,
      guid: { value: idOf(change), isPermaLink: false },
      pubDate: new Date(change.at),
      // By convention, a description is HTML.
      description: escapeHtml(textOf(change)).replaceAll("\n", "<br>"),
      content: { encoded: htmlOf(change) },
      categories: tagsOf(change).map((name) => ({ name })),
    })),
  });
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
      summary: replaceInvalidXml(change.summary),
      content_text: textOf(change),
      content_html: htmlOf(change),
      date_published: change.at,
      tags: tagsOf(change),
    })),
  };
}

const describeFeed = ({ title }: FeedHead) => replaceInvalidXml(`What changed: ${title}`);
const idOf = ({ executionId }: Change) => `urn:uuid:${executionId}`;
const tagsOf = ({ severity, suppressed }: Change) =>
  suppressed === null ? [severity] : [severity, withoutAlertTag];

function titleOf({ job, summary, suppressed }: Change): string {
  return replaceInvalidXml(
    `${suppressed === null ? "" : "No alert: "}${job}: ${summary}`.replace(/\s+/g, " "),
  );
}

const reasonOf = ({ suppressed }: Change) =>
  suppressed === null ? [] : [`There was no alert: ${suppressed}.`];

function textOf(change: Change): string {
  const { summary, url, lines, moreLines } = change;
  return [
    summary,
    ...reasonOf(change),
    ...lines.map(({ sign, text }) => `${sign} ${text}`),
    ...(moreLines > 0 ? [`… ${moreLines} more`] : []),
    url,
  ]
    .map((line) => replaceInvalidXml(line.replace(/\s+/g, " ")))
    .join("\n");
}

function htmlOf(change: Change): string {
  const { summary, url, lines, moreLines } = change;
  const paragraph = (text: string) => `<p>${escapeXml(text)}</p>`;
  const line = ({ sign, text }: Change["lines"][number]) => {
    const tag = sign === "+" ? "ins" : "del";
    return `<div>${sign} <${tag}>${escapeXml(text)}</${tag}></div>`;
  };
  return [
    paragraph(summary),
    ...reasonOf(change).map(paragraph),
    ...lines.map(line),
    ...(moreLines > 0 ? [`<p>… ${moreLines} more</p>`] : []),
    paragraph(url),
  ].join("");
}
