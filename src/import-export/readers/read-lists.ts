import { UnreadableFile } from "#contract/unreadable-file.ts";
import { assertCount, type Draft, draft, type GivenDraft, maxJobs, refuseLarge } from "./draft.ts";
import { readXml } from "./read-xml.ts";

// Many times what the largest real lists contain besides their addresses.
const limits = { lines: 20_000 };
const numbers = new Intl.NumberFormat("en");

/** Reads a list of URLs, one per line, each with a name or with tags and commas; text after `#` is a comment. */
export function readUrlList(text: string): Draft[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > limits.lines)
    refuseLarge(
      `The list has ${numbers.format(lines.length)} lines; at most ${numbers.format(limits.lines)} are read.`,
    );
  const named = lines.map(removeComment).filter(Boolean);
  assertCount(named.length);
  return named.map((line) => {
    const end = line.search(/\s/);
    if (end < 0) return draft({ url: line });
    const [url, rest] = [line.slice(0, end), line.slice(end, end + 10_000).trim()];
    return rest.includes(",") ? draft({ url, ...readTags(rest) }) : draft({ url, name: rest });
  });
}

/** Tags with commas between them, as far as a job takes them. */
function readTags(text: string): Pick<GivenDraft, "rest" | "left"> {
  const given = text.split(",").map((tag) => tag.replace(/[\p{Cc}\s]+/gu, " ").trim());
  const named = given.filter(Boolean);
  const fitting = named.filter((tag) => tag.length <= 30);
  const tags = fitting.slice(0, 10);
  const lost = named.filter((tag) => !tags.includes(tag));
  return {
    rest: { tags },
    left:
      lost.length > 0
        ? [`Left out, because a job has at most 10 tags of 30 characters: ${lost.join(", ")}.`]
        : [],
  };
}

/** Removes the comment. A pattern that runs to the end of the line would scan the rest again at every `#`. */
function removeComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return (at < 0 ? line : line.slice(0, at)).trim();
}

/**
 * Reads outlines with an address; the outlines that enclose them are groups. For a feed, its page is used, or else the
 * feed itself.
 */
export function readOpml(text: string): Draft[] {
  const found: Draft[] = [];
  const groups: (string | null)[] = [null];
  let isOpml = false;
  readXml(text, "OPML", {
    onOpen(name, given) {
      if (name.toLowerCase() === "opml") isOpml = true;
      const named = Object.fromEntries(
        Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]),
      );
      const url = named.htmlurl || named.xmlurl || named.url;
      const title = named.text || named.title || "";
      const isOutline = name.toLowerCase() === "outline";
      const group = groups.at(-1) ?? null;
      if (isOutline && url && found.length <= maxJobs) found.push(draft({ url, name: title, group }));
      groups.push(isOutline && !url && title ? title : group);
    },
    onClose() {
      groups.pop();
    },
  });
  if (!isOpml) throw new UnreadableFile("This isn’t OPML.");
  return found;
}
