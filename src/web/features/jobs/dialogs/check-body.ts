import { placeholders } from "#contract/placeholders.ts";

/** Why a trigger's body would not be JSON once its placeholders are filled; undefined when it would. */
export function checkBody(body: string): string | undefined {
  if (body.trim() === "") return undefined;
  const unknown = [...body.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].find(
    ([, name = ""]) => !Object.hasOwn(placeholders, name) && !/^value\.\w+$/.test(name),
  );
  if (unknown) return `${unknown[0]} stands for nothing. The list below has what does.`;
  try {
    JSON.parse(filled(body));
    return undefined;
  } catch (error) {
    return `Not JSON yet: ${place(error, body)}`;
  }
}

/** Inside a string a placeholder is text, elsewhere a value of its own. */
function filled(body: string): string {
  let inString = false;
  return body.replace(/\\.|"|\{\{\s*[\w.]+\s*\}\}/gs, (found) => {
    if (found === '"') inString = !inString;
    if (found.startsWith("{{")) return inString ? "x" : "0";
    return found;
  });
}

function place(error: unknown, body: string): string {
  const message = error instanceof Error ? error.message : "";
  const line = /line (\d+)/.exec(message)?.[1];
  if (line && body.includes("\n")) return `look at line ${line}.`;
  if (/end of JSON|Unterminated/.test(message)) return "it ends too early.";
  return "a quote, comma or bracket is missing or too many.";
}
