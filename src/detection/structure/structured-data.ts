import type { Page, Sign } from "../page.ts";

const MAX_DEPTH = 12;

/** What a page's JSON-LD says, each value with the thing it is said of. */
export function structuredData(page: Page): Sign[] {
  const signs: Sign[] = [];
  for (const { type, code } of page.scripts) {
    if (type !== "application/ld+json") continue;
    try {
      walk(JSON.parse(code), "", 0, signs);
    } catch {
      // What cannot be read as JSON is listed as code.
    }
  }
  return signs;
}

function walk(value: unknown, thing: string, depth: number, signs: Sign[]): void {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) walk(item, thing, depth + 1, signs);
    return;
  }
  const fields = value as Record<string, unknown>;
  const own = [fields["@type"], fields["name"] ?? fields["headline"] ?? fields["sku"] ?? fields["@id"]]
    .filter((part) => typeof part === "string")
    .join(" ");
  const inside = own.includes(" ") || thing === "" ? own : thing;
  // JSON knows no other values than objects and these.
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "object") walk(field, inside, depth + 1, signs);
    else if (!name.startsWith("@")) {
      const value = String(field as string | number | boolean);
      signs.push({ ...nowhere, what: "data", name, value, of: inside });
    }
  }
}

const nowhere = { area: "", zone: "" as const, hidden: "" as const, place: "JSON-LD", root: -1 };
