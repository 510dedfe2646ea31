import { bodyTypeOf } from "#contract/body-type.ts";
import { fillJson, type PlaceholderValues } from "./fill-placeholders.ts";

/** Fills a trigger's body as its content type asks: no value can add a field to a form or leave a string of JSON. */
export function fillBody(
  { body, headers }: { body: string; headers: { name: string; value: string }[] },
  values: PlaceholderValues,
): string {
  const type = bodyTypeOf(headers);
  if (type === "json") return fillJson(body, values);
  // As a string of JSON, so that each placeholder becomes text.
  const fill = (text: string) => JSON.parse(fillJson(JSON.stringify(text), values)) as string;
  if (type === "text") return fill(body);
  return body
    .trim()
    .replace(/\{\{[^{}]+\}\}/g, (placeholder) => encodeURIComponent(fill(placeholder).toWellFormed()));
}
