import { parseAllDocuments } from "yaml";
import { type Draft, draft, isRecord, texts, UnreadableFile } from "./draft.ts";
import { selectorOf } from "./read-changedetection.ts";
import { requestOf } from "./request-of.ts";

/** What a filter of urlwatch or webchanges becomes; null where it has no counterpart, [] where we do so anyway. */
function becomes(name: string, value: unknown): { selector?: string; ignore?: string[] } | null {
  const given =
    typeof value === "string"
      ? value
      : isRecord(value)
        ? (texts([value.selector, value.path, value.re, value.text])[0] ?? "")
        : "";
  switch (name) {
    case "css":
      return given ? { selector: given } : null;
    case "xpath":
      return given ? { selector: selectorOf(`xpath:${given}`) ?? "" } : null;
    case "jsonpath":
      return given ? { selector: `jsonpath:${given}` } : null;
    case "element-by-id":
      return given ? { selector: `#${given}` } : null;
    case "element-by-class":
      return given ? { selector: `.${given}` } : null;
    case "element-by-tag":
      return given ? { selector: given } : null;
    case "grepi":
    case "delete_lines_containing":
      return given ? { ignore: [name === "grepi" ? `/^.*(${given}).*$/` : JSON.stringify(given)] } : null;
    case "html2text":
    case "strip":
    case "striplines":
    case "strip_each_line":
    case "remove-duplicate-lines":
    case "format-json":
    case "format-xml":
    case "beautify":
      return {};
    default:
      return null;
  }
}

const handled = new Set([
  "name",
  "url",
  "navigate",
  "filter",
  "filters",
  "headers",
  "kind",
  "use_browser",
  "note",
  "wait_for",
  "wait_for_selector",
  "enabled",
  "cookies",
  "user_visible_url",
  "method",
  "data",
  "data_as_json",
  "user_agent",
]);

/** urlwatch's and webchanges' job files: many YAML documents. Anchors may not unfold without end. */
export function readUrlwatch(text: string): Draft[] {
  const documents = parseAllDocuments(text, { maxAliasCount: 20 } as never);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw new UnreadableFile(`The YAML cannot be read: ${problem.message.split("\n")[0]}`);
    let job: unknown;
    try {
      job = document.toJS({ maxAliasCount: 20 });
    } catch {
      throw new UnreadableFile("The YAML unfolds without end: its anchors refer to each other too often.");
    }
    if (job === null) return [];
    if (!isRecord(job)) throw new UnreadableFile("The YAML holds something else than jobs.");
    return [readJob(job)];
  });
}

function readJob(job: Record<string, unknown>): Draft {
  const url = typeof job.url === "string" ? job.url : typeof job.navigate === "string" ? job.navigate : "";
  const left = Object.keys(job)
    .filter((key) => !handled.has(key))
    .map((key) => `“${key}” has no counterpart.`);
  const selectors: string[] = [];
  const ignore: string[] = [];
  const filters = job.filter ?? job.filters;
  const list =
    typeof filters === "string"
      ? filters.split(",").map((one) => one.trim())
      : Array.isArray(filters)
        ? filters
        : [];
  for (const filter of list) {
    const [name = "", value] = isRecord(filter)
      ? (Object.entries(filter)[0] ?? [])
      : splitShort(String(filter));
    const known = becomes(name, value);
    if (!known) left.push(`The filter “${name}” has no counterpart.`);
    if (known?.selector) selectors.push(known.selector);
    if (known?.ignore) ignore.push(...known.ignore);
    const excluded = isRecord(value)
      ? texts(value.exclude).flatMap((one) => selectorOf(name === "xpath" ? `xpath:${one}` : one) ?? [])
      : [];
    ignore.push(...excluded);
  }
  const cookies = isRecord(job.cookies)
    ? Object.entries(job.cookies).map(([name, value]) => `${name}=${String(value)}`)
    : [];
  const headers = [
    ...(isRecord(job.headers)
      ? Object.entries(job.headers).map(([name, value]) => ({ name, value: String(value) }))
      : []),
    ...(typeof job.user_agent === "string" ? [{ name: "User-Agent", value: job.user_agent }] : []),
    ...(cookies.length > 0 ? [{ name: "Cookie", value: cookies.join("; ") }] : []),
  ];
  // Data without a method is posted, and a mapping is a form unless it is asked for as JSON.
  const method = job.method ?? (job.data === undefined ? "GET" : "POST");
  const body = bodyOf(job.data, job.data_as_json === true);
  const waitFor = typeof job.wait_for_selector === "string" ? job.wait_for_selector : undefined;
  return draft({
    url,
    name: typeof job.name === "string" ? job.name : "",
    paused: job.enabled === false,
    selector: selectors.join("\n") || null,
    ignore,
    ...requestOf({ method, body, headers }, left),
    waitFor: waitFor ? { selector: waitFor } : null,
    left: url === "" ? [...left, "It has no address: commands are not run here."] : left,
  });
}

function bodyOf(data: unknown, asJson: boolean): string {
  if (typeof data === "string") return data;
  if (data === undefined || data === null) return "";
  if (asJson || !isRecord(data)) return JSON.stringify(data);
  return new URLSearchParams(Object.entries(data).map(([name, value]) => [name, String(value)])).toString();
}

/** The short notation of older files: "css:main". */
function splitShort(text: string): [string, string | undefined] {
  const at = text.indexOf(":");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
