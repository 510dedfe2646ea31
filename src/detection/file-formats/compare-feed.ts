import { excerptDifference } from "../change-summaries/excerpt-difference.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import type { Difference } from "./content-difference.ts";
import { isRecord, printSorted, type Value } from "./json/signatures.ts";

type Tree = { [key: string]: Value };
/** A feed's entries, and the rest of the feed. */
export type Feed = { entries: Entry[]; rest: Tree; place: string };
type Entry = {
  id: string;
  title: string;
  link: string;
  /** When it was published, in milliseconds. */
  at: number;
  fields: Map<string, Value>;
};

const maxShown = 300;

/** Where the entries of each format are, from the root. */
const paths = [
  ["rss", "channel", "item"],
  ["feed", "entry"],
  ["rdf:RDF", "item"],
];

/** Reads RSS or Atom out of a parsed document; undefined if it is neither. */
export function readXmlFeed(root: Tree): Feed | undefined {
  const path = paths.find(([name = ""]) => isRecord(root[name] ?? null));
  return path && takeEntries(root, path);
}

/** Reads a JSON Feed; undefined for other JSON. */
export function readJsonFeed(root: Value): Feed | undefined {
  if (!isRecord(root) || !textOf(root.version).startsWith("https://jsonfeed.org/version/")) return undefined;
  return takeEntries(root, ["items"]);
}

function takeEntries(root: Tree, path: string[]): Feed {
  const [name = "", ...inside] = path;
  if (inside.length === 0) {
    const { [name]: found, ...rest } = root;
    const list = found === undefined ? [] : Array.isArray(found) ? found : [found];
    return { entries: withIds(list.flatMap(readEntry)), rest, place: name };
  }
  const child = root[name];
  const below = takeEntries(child !== undefined && isRecord(child) ? child : {}, inside);
  return { ...below, rest: { ...root, [name]: below.rest }, place: `${name}.${below.place}` };
}

function readEntry(value: Value): Entry[] {
  const record: Tree = isRecord(value) ? value : { title: value };
  const first = (...names: string[]) => names.map((name) => textOf(record[name])).find(Boolean) ?? "";
  const id = first("guid", "id", "@rdf:about");
  const link = linkOf(record.link) || first("url", "external_url") || (/^https?:/.test(id) ? id : "");
  return [
    {
      id: id || link || first("title") || leavesOf(value),
      title: oneLine(
        first("title") || first("summary", "description", "content_text", "content_html") || link,
      ),
      link,
      at: Date.parse(first("pubDate", "published", "dc:date", "date_published", "updated", "date_modified")),
      fields: new Map(Object.entries(record)),
    },
  ];
}

/** Describes an entry that a selector chose as its readers know it: by title and link. */
export function describeEntry(value: Value, name: string): string | undefined {
  const [entry] = /^(?:item|entry)$/.test(name) && isRecord(value) ? readEntry(value) : [];
  return entry && textOf((value as Tree).title) !== ""
    ? `${entry.title} ${entry.link || entry.id}`
    : undefined;
}

/** Entries of a feed that repeats an id are told apart by their number. */
function withIds(entries: Entry[]): Entry[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const count = seen.get(entry.id) ?? 0;
    seen.set(entry.id, count + 1);
    return count === 0 ? entry : { ...entry, id: `${entry.id} (${count + 1})` };
  });
}

/**
 * Compares feeds by entry: new, edited and gone, one difference each. Their order says nothing. Entries that only made
 * way for newer ones are noise.
 */
export function compareEntries(before: Feed, after: Feed): { found: Difference[]; standing: number } {
  const matched = matchEntries(before.entries, after.entries);
  const known = new Set(matched.values());
  const added = after.entries.filter((entry) => !known.has(entry));
  const missing = before.entries.filter((entry) => !matched.has(entry));
  const left = scrolledOut(before.entries, after.entries, matched);
  const edited = [...matched].flatMap(([old, now]) => describeEdit(old, now, after.place) ?? []);
  const found: Difference[] = [
    ...added.map((entry) => difference("New entry", entry, "added", after.place)),
    ...edited,
    ...missing.map((entry) => ({
      ...difference("Gone", entry, "removed", after.place),
      ...(left.has(entry) ? { noise: decidedBy("time.feed") } : {}),
    })),
  ];
  const all = before.entries.length + added.length;
  return { found, standing: all === 0 ? 1 : Math.max(0, 1 - (found.length - left.size) / all) };
}

/** Pairs entries by id; if a site changes its ids, those that are left by link and title. */
function matchEntries(before: Entry[], after: Entry[]): Map<Entry, Entry> {
  const matched = new Map<Entry, Entry>();
  const free = new Set(after);
  for (const keyOf of [
    ({ id }: Entry) => id,
    ({ link, title }: Entry) => (link && title ? JSON.stringify([link, title]) : ""),
  ]) {
    const byKey = new Map([...free].map((entry) => [keyOf(entry), entry]));
    for (const old of before) {
      const now = matched.has(old) ? undefined : byKey.get(keyOf(old));
      if (!now || keyOf(now) === "" || !free.delete(now)) continue;
      matched.set(old, now);
    }
  }
  return matched;
}

/**
 * The oldest entries that are missing, at most as many as are new. Without dates, a feed's order says which are the
 * oldest. Where the feed was reordered, too, none can be told to be older, so all of them count if its length stayed.
 */
function scrolledOut(before: Entry[], after: Entry[], matched: Map<Entry, Entry>): Set<Entry> {
  const room = after.length - matched.size;
  if (room === 0) return new Set();
  const isDated = before.every(({ at }) => !Number.isNaN(at));
  const known = new Set(matched.values());
  const kept = after.filter((entry) => known.has(entry));
  const inOldOrder = before.flatMap((entry) => matched.get(entry) ?? []);
  const isReordered = inOldOrder.some((entry, at) => entry !== kept[at]);
  if (!isDated && isReordered && after.length === before.length)
    return new Set(before.filter((entry) => !matched.has(entry)));
  const newestFirst = isDated
    ? before.toSorted((a, b) => b.at - a.at)
    : growsAtItsEnd(after, kept)
      ? before.toReversed()
      : before;
  const lastKept = newestFirst.findLastIndex((entry) => matched.has(entry));
  return new Set(newestFirst.slice(lastKept + 1).slice(-room));
}

/** Whether all new entries come after all known ones. */
const growsAtItsEnd = (after: Entry[], kept: Entry[]) =>
  kept.length > 0 && kept.every((entry, at) => entry === after[at]);

function difference(verb: string, entry: Entry, side: "added" | "removed", place: string): Difference {
  const text = nameOf(verb, entry);
  return {
    place: `${place}[${entry.id}]`,
    before: side === "removed" ? text : null,
    after: side === "added" ? text : null,
    noise: null,
    isItem: true,
    sentence: `${verb}: ${entry.title || entry.link}`,
  };
}

const nameOf = (verb: string, { title, link }: Entry) =>
  [`${verb}: ${title || link}`, ...(title && link ? [link] : [])].join(" ");

function describeEdit(old: Entry, now: Entry, place: string): Difference | undefined {
  const names = new Set([...old.fields.keys(), ...now.fields.keys()]);
  const valueOf = ({ fields }: Entry, name: string) => printSorted(fields.get(name));
  const changed = [...names].filter((name) => valueOf(old, name) !== valueOf(now, name));
  if (changed.length === 0) return undefined;
  const start = nameOf("Edited", now);
  const sides = changed.map((name) => {
    const [before, after] = [textWithoutTags(old.fields.get(name)), textWithoutTags(now.fields.get(name))];
    const isMarkup = before === after;
    const excerpt = excerptDifference(
      isMarkup ? leavesOf(old.fields.get(name)) : before,
      isMarkup ? leavesOf(now.fields.get(name)) : after,
      maxShown,
    );
    return excerpt.map((text) => `${name}: ${text ?? ""}`);
  });
  const join = (at: 0 | 1) => `${start} (${sides.map((side) => side[at]).join("; ")})`;
  return {
    place: `${place}[${now.id}]`,
    before: join(0),
    after: join(1),
    noise: null,
    isItem: true,
    sentence: `Edited: ${now.title || now.link}`,
  };
}

/** All texts of a value, one after the other. */
function leavesOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  return oneLine(Object.values(value).map(leavesOf).join(" "));
}

const textWithoutTags = (value: Value | undefined) => oneLine(leavesOf(value).replace(/<[^<>]*>/g, " "));
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function textOf(value: Value | undefined): string {
  if (value === undefined || Array.isArray(value)) return value?.[0] === undefined ? "" : textOf(value[0]);
  const own = isRecord(value) ? value["#text"] : value;
  return typeof own === "string" || typeof own === "number" ? String(own) : "";
}

/** RSS writes a link as text. Atom writes links as attributes; the one called alternate is the page itself. */
function linkOf(value: Value | undefined): string {
  if (Array.isArray(value)) {
    const page = value.find((link) => isRecord(link) && (link["@rel"] ?? "alternate") === "alternate");
    return linkOf(page ?? value[0]);
  }
  const href = value !== undefined && isRecord(value) ? value["@href"] : undefined;
  return typeof href === "string" ? href : textOf(value);
}
