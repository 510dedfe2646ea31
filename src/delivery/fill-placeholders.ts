import { bodyTypeOf } from "#contract/body-type.ts";
import { type Placeholder, placeholders } from "#contract/placeholders.ts";
import { anyPlaceholder, fillJsonBy } from "./fill-template.ts";

type Value = string | number | null | Finding[];
type Finding = { kind: string; severity: string; value: string; where: string };
export type PlaceholderValues = Record<Exclude<Placeholder, "findings">, string | number | null> & {
  findings: Finding[];
  /** What stands behind {{value.NAME}}: the values that a job follows. */
  value?: Record<string, string | number | null>;
};

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name);
/** The followed value that a placeholder names; what every object has (`constructor`, …) is no name of one. */
function followed(name: string): string | undefined {
  const own = /^value\.(\w+)$/.exec(name)?.[1];
  return own !== undefined && own in Object.prototype ? undefined : own;
}
const isKnown = (name: string) => isPlaceholder(name) || followed(name) !== undefined;

function valueOf(name: string, values: PlaceholderValues): Value {
  if (isPlaceholder(name)) return values[name];
  const own = followed(name) ?? "";
  return values.value && Object.hasOwn(values.value, own) ? (values.value[own] ?? null) : null;
}

/** The names of the followed values that a template speaks of. */
export function valuesIn(template: string): string[] {
  return [...template.matchAll(anyPlaceholder)].flatMap(([, name = ""]) => followed(name) ?? []);
}

/** Fills a JSON text: inside a string a placeholder is escaped for it, elsewhere it is a JSON value of its own. */
export function fillJson(template: string, values: PlaceholderValues): string {
  return fillJsonBy(template, (name) => {
    if (!isKnown(name)) return undefined;
    const value = valueOf(name, values);
    return { value, text: asText(value) };
  });
}

const urlValueLength = 200;

/** Fills a URL: values are escaped, so that none can add a path segment or a parameter. */
export function fillUrl(template: string, values: PlaceholderValues): string {
  return template.replace(anyPlaceholder, (text, name: string) => {
    if (!isKnown(name)) return text;
    const value = cut(asText(valueOf(name, values)), urlValueLength).toWellFormed();
    // A segment of dots alone would lead to another path, escaped or not.
    return /^\.+$/.test(value) ? "-" : encodeURIComponent(value);
  });
}

type TriggerRefusal = { field: "url" | "body"; reason: string };

/** Why a trigger cannot be saved, in words; null when it can. */
export function refuseTrigger({
  url,
  body,
  headers = [],
}: {
  url: string;
  body: string;
  headers?: { name: string; value: string }[];
}): TriggerRefusal | null {
  for (const [text, field, place] of [
    [url, "url", "URL"],
    [body, "body", "body"],
  ] as const) {
    for (const [whole, name = ""] of text.matchAll(anyPlaceholder)) {
      if (!isKnown(name))
        return {
          field,
          reason: `The trigger's ${place} has ${whole}, which stands for nothing. Known are: ${Object.keys(placeholders).join(", ")}, and value. with the name of a followed value.`,
        };
    }
  }
  if (/^[^/?#]*\/\/[^/?#]*\{\{/.test(url.trim()))
    return { field: "url", reason: "The trigger's host may not contain a placeholder." };
  if (Buffer.byteLength(body) > 64 * 1024)
    return { field: "body", reason: "The trigger's body is larger than 64 KiB." };
  if (body.trim() === "" || bodyTypeOf(headers) !== "json") return null;
  try {
    JSON.parse(fillJson(body, samples));
    return null;
  } catch {
    return { field: "body", reason: "The trigger's body is not JSON once its placeholders are filled in." };
  }
}

/** Values of every kind, with all that can break a text that is not escaped; 'Test trigger' sends them too. */
export const samples: PlaceholderValues = {
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
  matched: "In stock",
  summary: "Test: 2 lines added, 1 removed in main",
  added: 'A new line\nand a "second" one \\ with a backslash',
  removed: "An old line",
  findings: [{ kind: "endpoint", severity: "notice", value: "/api/v2/users", where: "line 12" }],
  link: "https://example.com/dashboard",
};

function asText(value: Value): string {
  if (value === null) return "";
  if (!Array.isArray(value)) return String(value);
  return value.map(({ kind, value: found, where }) => `${kind}: ${found} (${where})`).join("\n");
}

/** Cuts a text without halving a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 2] ?? "") ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}
