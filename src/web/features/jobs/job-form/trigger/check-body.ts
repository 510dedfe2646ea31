import { jsonTemplateToken, refusePlaceholders } from "#message-templates/placeholders.ts";

/** Explains why a trigger's body would not be JSON once its placeholders are filled in; undefined if it would. */
export function checkBody(body: string): string | undefined {
  if (body.trim() === "") return undefined;
  const refusal = refusePlaceholders(body);
  if (refusal)
    return "wrongDate" in refusal
      ? refusal.wrongDate
      : `${refusal.unknown} isn’t a known placeholder. All placeholders are listed below.`;
  try {
    JSON.parse(fillPlaceholders(body));
    return undefined;
  } catch (error) {
    return `Not JSON yet: ${describeProblem(error, body)}`;
  }
}

/** Fills placeholders with samples: text inside a JSON string, a number elsewhere. */
function fillPlaceholders(body: string): string {
  let inString = false;
  return body.replace(jsonTemplateToken, (found) => {
    if (found === '"') inString = !inString;
    if (found.startsWith("{{")) return inString ? "x" : "0";
    return found;
  });
}

function describeProblem(error: unknown, body: string): string {
  const message = error instanceof Error ? error.message : "";
  const line = /line (\d+)/.exec(message)?.[1];
  if (line && body.includes("\n")) return `look at line ${line}.`;
  if (/end of JSON|Unterminated/.test(message)) return "it ends too early.";
  return "a quote, comma or bracket is missing or too many.";
}
