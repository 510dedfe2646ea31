import { escapeXml } from "#contract/xml-text.ts";
import { fillDate } from "./fill-dates.ts";
import {
  dateFormatOf,
  followedValueName,
  isPlaceholder,
  jsonTemplateToken,
  type Placeholder,
  placeholderPattern,
} from "./placeholders.ts";
import { cut } from "./rich-text.ts";

type Single = string | number | null;
type Finding = { kind: string; severity: string; value: string; where: string };

/** What the placeholders stand for in one message or request; a missing one is null. */
export type TemplateValues = { [name in Exclude<Placeholder, "findings">]?: Single } & {
  findings?: Finding[];
  /** Values for {{value.NAME}} and {{old.NAME}}: the values that a job follows. */
  value?: Record<string, Single>;
  old?: Record<string, Single>;
  /** The time zone of dates; UTC if it is absent. */
  zone?: string | undefined;
};

/**
 * What a filled template is part of. It decides how values are escaped: they come from hostile pages, and none may add
 * a JSON key, an element, a form field, a path segment or a parameter. Channels escape their messages for their own
 * markup (rich-text.ts).
 */
type TemplateTarget = "json" | "xml" | "form" | "url" | "text";

const urlValueLength = 200;

// Twenty times what a message with every placeholder contains. A template that repeats them would become a hundred
// megabytes, sent to an address of its author's choice.
const maxFilledLength = 1_000_000;

const escapes: Record<Exclude<TemplateTarget, "json">, (text: string) => string> = {
  text: (text) => text,
  xml: escapeXml,
  form: (text) => encodeURIComponent(text.toWellFormed()),
  url(text) {
    const value = cut(text, urlValueLength).toWellFormed();
    // A path segment of dots alone would lead to another path, even if escaped.
    return /^\.+$/.test(value) ? "-" : encodeURIComponent(value);
  },
};

/**
 * Fills a template. Values are never parsed for placeholders, and unknown placeholders are left as they are. Values
 * beyond the limit on their total length are left out.
 */
export function fillTemplate(template: string, values: TemplateValues, target: TemplateTarget): string {
  const fits = limitLength(maxFilledLength);
  if (target === "json") return fillJson(template, values, fits);
  // A template may repeat a long value thousands of times; it is escaped once.
  const escaped = new Map<string, string>();
  // White space around a form would become part of its first name or its last value.
  return (target === "form" ? template.trim() : template).replace(
    placeholderPattern,
    (placeholder, name: string) => {
      const value = valueOf(name, values);
      if (value === undefined) return placeholder;
      const filled = escaped.get(name) ?? escapes[target](textOf(value));
      escaped.set(name, filled);
      return fits(filled) ? filled : "";
    },
  );
}

/** Returns a function that tells of each text whether it still fits with those before it. */
export function limitLength(maximum: number): (filled: { length: number }) => boolean {
  let length = 0;
  return (filled) => (length += filled.length) <= maximum;
}

/** Inside a JSON string a value is escaped; elsewhere it becomes a JSON value. */
function fillJson(template: string, values: TemplateValues, fits: (filled: string) => boolean): string {
  let inString = false;
  return template.replace(jsonTemplateToken, (token, name: string | undefined) => {
    if (token === '"') inString = !inString;
    const value = name === undefined ? undefined : valueOf(name, values);
    if (value === undefined) return token;
    const filled = inString ? JSON.stringify(textOf(value)).slice(1, -1) : JSON.stringify(value);
    if (fits(filled)) return filled;
    return inString ? "" : "null";
  });
}

/** The value of a placeholder; undefined if the name is unknown. */
function valueOf(name: string, values: TemplateValues): Single | Finding[] | undefined {
  if (isPlaceholder(name)) return values[name] ?? null;
  const format = dateFormatOf(name);
  if (format !== undefined) return fillDate(format, momentOf(values), values.zone);
  const followed = followedValueName(name);
  if (followed === undefined) return undefined;
  const known = values[followed.of];
  return known && Object.hasOwn(known, followed.name) ? (known[followed.name] ?? null) : null;
}

function momentOf(values: TemplateValues): Date {
  const time = values["execution.time"] ?? values.time;
  return time ? new Date(time) : new Date();
}

function textOf(value: Single | Finding[]): string {
  if (!Array.isArray(value)) return String(value ?? "");
  return value.map(({ kind, value: found, where }) => `${kind}: ${found} (${where})`).join("\n");
}

/** The names of the placeholders in a template. */
export const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(placeholderPattern)].map(([, name = ""]) => name);

/** The names of the followed values that a template uses. */
export const followedValuesIn = (template: string): string[] =>
  placeholdersIn(template).flatMap((name) => followedValueName(name)?.name ?? []);

/** Whether a template becomes JSON when it is filled. */
export function isJsonTemplate(template: string): boolean {
  try {
    JSON.parse(fillTemplate(template, sampleValues, "json"));
    return true;
  } catch {
    return false;
  }
}

/** Values of every type, with all characters that break unescaped text; 'Test trigger' sends them too. */
export const sampleValues = {
  "event.id": "00000000-0000-4000-8000-000000000000",
  "job.id": "00000000-0000-4000-8000-000000000001",
  "job.name": 'Example "job"',
  "job.url": "https://example.com/?a=1&b=2",
  "job.group": "Example group",
  "execution.id": "00000000-0000-4000-8000-000000000002",
  "execution.time": "2026-01-01T00:00:00.000Z",
  "status.before": 404,
  "status.after": 200,
  similarity: 97.5,
  severity: "notice",
  condition: "price below 50",
  opinion: 'In the words of "example-model", unchecked: “The price fell.”',
  matched: "In stock",
  summary: "Test: 2 lines added, 1 removed in main",
  added: 'A new line\nand a "second" one \\ with a backslash',
  removed: "An old line",
  findings: [{ kind: "endpoint", severity: "notice", value: "/api/v2/users", where: "line 12" }],
  link: "https://example.com/dashboard",
  kind: "change",
  title: 'Example "job"',
  message: "Test: 2 lines added, 1 removed in main",
  url: "https://example.com/?a=1&b=2",
  time: "2026-01-01T00:00:00.000Z",
  job: "00000000-0000-4000-8000-000000000001",
  execution: "00000000-0000-4000-8000-000000000002",
  status: "404 → 200",
  words: '~ "a" [-b-] {+\\c+}',
  diff: '- "a"\n+ \\b',
  text: 'A "text"',
  "diff.full": '  A heading\n- "a"\n+ \\b',
  patch: '@@ -1,2 +1,2 @@\n A heading\n-"a"\n+\\b',
  snapshot: "A heading\n\\b",
  base: "https://watch.example",
} satisfies Required<Omit<TemplateValues, "value" | "old" | "zone">>;
