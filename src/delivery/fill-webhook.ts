import { alertPlaceholders } from "#contract/placeholders.ts";
import type { AlertValues } from "./alert-values.ts";
import { fillForm, fillJsonTemplate, fillText, unknownPlaceholder } from "./fill-template.ts";
import type { GivenAddress } from "./given-address.ts";

type Words = Pick<GivenAddress, "template" | "format">;

/** Why a webhook's template cannot be, in words; null when it can. */
export function refuseWebhook({ template = "", format = "json" }: Words): string | null {
  const unknown = unknownPlaceholder(template, alertPlaceholders);
  if (unknown)
    return `The template has ${unknown}, which stands for nothing. Known are: ${Object.keys(alertPlaceholders).join(", ")}.`;
  if (format !== "json" || template.trim() === "") return null;
  try {
    JSON.parse(fillWebhook({ template, format }, sampleValues));
    return null;
  } catch {
    return "The template is not JSON once its placeholders are filled in.";
  }
}

/** A webhook's body: everything there is, or what its template asks for. */
export function fillWebhook({ template = "", format = "json" }: Words, values: AlertValues): string {
  const own = template.trim() !== "";
  if (format === "json") return own ? fillJsonTemplate(template, values) : JSON.stringify(values);
  if (format === "text")
    return own ? fillText(template, values) : `${values.title}\n${values.text}\n${values.link}`;
  if (own) return fillForm(template, values);
  return new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, String(value ?? "")]),
  ).toString();
}

const sampleValues: AlertValues = {
  kind: "change",
  severity: "notice",
  title: 'A "title"',
  message: "2 lines\nadded",
  url: "https://example.com/?a=1&b=2",
  link: "https://example.com/",
  time: "2026-01-01T00:00:00.000Z",
  job: null,
  execution: null,
  status: "404 → 200",
  similarity: 97.5,
  words: '~ "a" [-b-] {+\\c+}',
  diff: '- "a"\n+ \\b',
  text: 'A "text"',
};
