import { describe, expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";

type Item = { id?: string; title: string; link?: string; day?: number; text?: string };

const date = (day: number) => new Date(Date.UTC(2026, 0, day));
const element = (name: string, text: string | undefined) =>
  text === undefined ? "" : `<${name}>${text}</${name}>`;

/** The same entries in each format. */
const formats = {
  RSS: (items: Item[]) =>
    `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items
      .map(
        ({ id, title, link, day, text }) =>
          `<item>${element("guid", id)}${element("title", title)}${element("link", link)}${element("pubDate", day === undefined ? undefined : date(day).toUTCString())}${element("description", text)}</item>`,
      )
      .join("")}</channel></rss>`,
  Atom: (items: Item[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>${items
      .map(
        ({ id, title, link, day, text }) =>
          `<entry>${element("id", id)}${element("title", title)}${link ? `<link href="${link}"/>` : ""}${element("published", day === undefined ? undefined : date(day).toISOString())}${element("summary", text)}</entry>`,
      )
      .join("")}</feed>`,
  "JSON Feed": (items: Item[]) =>
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "News",
      items: items.map(({ id, title, link, day, text }) => ({
        id,
        title,
        url: link,
        date_published: day === undefined ? undefined : date(day).toISOString(),
        content_text: text,
      })),
    }),
};

const item = (number: number, more: Partial<Item> = {}): Item => ({
  id: String(number),
  title: `Title ${number}`,
  link: `https://news.example/${number}`,
  day: number,
  text: `What happened on day ${number}`,
  ...more,
});

describe.each(Object.entries(formats))("%s", (format, write) => {
  const kind = format === "JSON Feed" ? "json" : "xml";
  function watch(before: Item[], after: Item[]) {
    const [a, b] = [before, after].map((items) =>
      snapshotOf(write(items), kind, "https://news.example/feed"),
    );
    const { verdict } = compare(a!, b!, emptyMemory());
    const lines = verdict.reasons.flatMap(({ changes }) =>
      changes.map((change) => [change.before, change.after]),
    );
    return { changed: verdict.changed, summary: verdict.summary, lines, ignored: verdict.ignored };
  }

  test("a new entry is one line with its link, and the oldest one that made way for it is only listed", () => {
    const found = watch([item(3), item(2), item(1)], [item(4), item(3), item(2)]);
    expect(found).toMatchObject({
      summary: "New entry: Title 4",
      lines: [[null, "New entry: Title 4 https://news.example/4"]],
    });
    expect(found.ignored.map(({ before }) => before)).toContain("Gone: Title 1 https://news.example/1");
  });

  test("an entry that goes from the middle, or without a new one, is gone", () => {
    expect(watch([item(3), item(2), item(1)], [item(3), item(1)]).summary).toBe("Gone: Title 2");
    expect(watch([item(3), item(2), item(1)], [item(3), item(2)]).summary).toBe("Gone: Title 1");
    expect(watch([item(3), item(2), item(1)], [item(4), item(3), item(1)]).summary).toBe(
      "2 entries (1 new, 1 gone): New entry: Title 4",
    );
  });

  test("an edited entry says which of its fields, and what in it", () => {
    const found = watch([item(2), item(1)], [item(2), item(1, { text: "What really happened on day 1" })]);
    expect(found.summary).toBe("Edited: Title 1");
    expect(found.lines).toHaveLength(1);
    expect(found.lines[0]?.[1]).toMatch(
      /^Edited: Title 1 https:\/\/news\.example\/1 \(\w+: .*What really happened/,
    );
  });

  test("another order is no change, whether entries have dates or not", () => {
    expect(watch([item(2), item(1)], [item(1), item(2)]).changed).toBe(false);
    const undated = [1, 2, 3].map((number) => item(number, { day: undefined }));
    expect(watch(undated, undated.toReversed()).changed).toBe(false);
  });

  test("an undated feed that is reordered or grows at its end loses its oldest entry without an alert", () => {
    const [one, two, three, four] = [1, 2, 3, 4].map((number) => item(number, { day: undefined })) as [
      Item,
      Item,
      Item,
      Item,
    ];
    const moved = watch([one, two, three], [three, four, two]);
    expect(moved.summary).toBe("New entry: Title 4");
    expect(moved.ignored.map(({ before }) => before)).toContain("Gone: Title 1 https://news.example/1");
    expect(watch([one, two, three], [two, three, four]).summary).toBe("New entry: Title 4");
    // What a shorter list lost, or one in its old order in the middle, is gone.
    expect(watch([one, two, three], [three, two]).summary).toBe("Gone: Title 1");
    expect(watch([one, two, three], [one, three, four]).summary).toBe(
      "2 entries (1 new, 1 gone): New entry: Title 4",
    );
  });

  test("a feed that gives its entries other ids has the same entries, if their links and titles are the same", () => {
    const found = watch([item(2), item(1)], [item(2, { id: "x2" }), item(1, { id: "x1" })]);
    expect(found.summary).toMatch(/^2 entries \(2 edited\)/);
  });

  test("entries without an id are known by their link, then by their title", () => {
    const bare = { id: undefined, day: undefined, text: undefined };
    expect(watch([item(1, bare)], [item(2, bare), item(1, bare)]).summary).toBe("New entry: Title 2");
    const titleOnly = { ...bare, link: undefined };
    expect(watch([item(1, titleOnly)], [item(2, titleOnly), item(1, titleOnly)]).summary).toBe(
      "New entry: Title 2",
    );
  });

  test("what a feed says of itself is compared besides its entries", () => {
    const [a, b] = ["News", "Old news"].map((title) =>
      snapshotOf(write([item(1)]).replace("News", title), kind, "https://news.example/feed"),
    );
    expect(compare(a!, b!, emptyMemory()).verdict.summary).toMatch(/title: News → Old news/);
  });
});
