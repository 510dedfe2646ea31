import type { Page, Sign } from "../html-parsing/page.ts";

const MAX_DEPTH = 12;

/** Reads the values of a page's JSON-LD, each with the thing that it describes. */
export function structuredData(page: Page): Sign[] {
  const signs: Sign[] = [];
  for (const { type, code } of page.scripts) {
    if (type !== "application/ld+json") continue;
    try {
      walk(JSON.parse(code), "", 0, signs);
    } catch {
      // Text that is not valid JSON is listed as code.
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
  const ownName = [fields["@type"], fields["name"] ?? fields["headline"] ?? fields["sku"] ?? fields["@id"]]
    .filter((part) => typeof part === "string")
    .join(" ");
  const subject = ownName.includes(" ") || thing === "" ? ownName : thing;
  // Apart from objects, JSON has only strings, numbers and booleans.
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "object") walk(field, subject, depth + 1, signs);
    else if (!name.startsWith("@")) {
      const value = String(field as string | number | boolean);
      signs.push({ ...noSpot, what: "data", name, value, of: subject });
    }
  }
}

const noSpot = { area: "", zone: "" as const, hidden: "" as const, place: "JSON-LD", root: -1 };
