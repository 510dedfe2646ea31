import {
  alertPlaceholders,
  knownPlaceholders,
  messagePlaceholders,
  refusePlaceholders,
} from "#message-templates/placeholders.ts";
import { fillTemplate, isJsonTemplate, type TemplateValues } from "#message-templates/template.ts";
import type { EnteredAddress } from "./entered-address.ts";

type BodyTemplate = Pick<EnteredAddress, "template" | "format">;

/** Why a webhook's template is invalid, as a sentence; null if it is valid. */
export function refuseWebhook({ template = "", format = "json" }: BodyTemplate): string | null {
  const refusal = refusePlaceholders(template);
  if (refusal)
    return "wrongDate" in refusal
      ? refusal.wrongDate
      : `The template has ${refusal.unknown}, which isn’t a known placeholder. ${knownPlaceholders(messagePlaceholders)}`;
  if (format !== "json" || template.trim() === "" || isJsonTemplate(template)) return null;
  return "The template isn’t valid JSON once its placeholders are filled in.";
}

/** A webhook's body: its filled template, or without one, everything that an alert consists of. */
export function fillWebhook(
  { template = "", format = "json" }: BodyTemplate,
  values: TemplateValues,
): string {
  if (template.trim() !== "") return fillTemplate(template, values, format);
  if (format === "text") return `${values.title}\n${values.text}\n${values.link}`;
  const alert = alertPlaceholders.map((name) => [name, values[name] ?? null] as const);
  if (format === "json") return JSON.stringify(Object.fromEntries(alert));
  return new URLSearchParams(alert.map(([name, value]) => [name, String(value ?? "")])).toString();
}
