import type { Page } from "../extract-page.ts";
import type { StructureComparison } from "./structure-change.ts";

// Fake checks put a command on the clipboard and have their visitors paste it into a command line.
const copied =
  /(?:clipboard\.writeText|execCommand\s*\(\s*["'`]copy)[^]{0,4000}?\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|curl\s|wget\s|bash\s+-c|iex\b|osascript)|\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript)\b[^]{0,4000}?(?:clipboard\.writeText|execCommand\s*\(\s*["'`]copy)/i;
const MAX_CODE = 200_000;

/** Finds a page that begins to put commands on its visitors' clipboard; what its words ask for is the text's matter. */
export function compareLures(older: Page, newer: Page, { changes }: StructureComparison): void {
  const script = newer.scripts.find(isLure);
  if (!script || older.scripts.some(isLure)) return;
  changes.push({
    kind: "lure",
    severity: "critical",
    summary: "Page puts a command on its visitors' clipboard",
    where: "script",
    before: null,
    after: script.code.slice(0, 300),
  });
}

function isLure({ code }: Page["scripts"][number]): boolean {
  return copied.test(code.slice(0, MAX_CODE));
}
