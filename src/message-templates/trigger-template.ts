import { bodyTypeOf } from "#contract/body-type.ts";
import { knownPlaceholders, placeholders, refusePlaceholders } from "./placeholders.ts";
import { isJsonTemplate } from "./template.ts";

type Refusal = { field: "url" | "body"; reason: string };

/** Why a trigger cannot be saved, as a sentence; null if it can. */
export function refuseTrigger({
  url,
  body,
  headers = [],
}: {
  url: string;
  body: string;
  headers?: { name: string; value: string }[];
}): Refusal | null {
  for (const [text, field, place] of [
    [url, "url", "URL"],
    [body, "body", "body"],
  ] as const) {
    const refusal = refusePlaceholders(text);
    if (refusal)
      return {
        field,
        reason:
          "wrongDate" in refusal
            ? refusal.wrongDate
            : `The trigger's ${place} has ${refusal.unknown}, which isn’t a known placeholder. ${knownPlaceholders(placeholders)}`,
      };
  }
  if (/^[^/?#]*\/\/[^/?#]*\{\{/.test(url.trim()))
    return { field: "url", reason: "The trigger's host may not contain a placeholder." };
  if (Buffer.byteLength(body) > 64 * 1024)
    return { field: "body", reason: "The trigger's body is larger than 64 KiB." };
  if (body.trim() === "" || bodyTypeOf(headers) !== "json" || isJsonTemplate(body)) return null;
  return { field: "body", reason: "The trigger's body is not JSON once its placeholders are filled in." };
}
