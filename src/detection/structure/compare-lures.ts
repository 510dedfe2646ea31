import { isLure, lureLine } from "../lure.ts";
import type { Page } from "../page.ts";
import type { StructureComparison } from "./structure-change.ts";

const copiedCommand =
  /(?:clipboard\.writeText|execCommand\s*\(\s*["'`]copy)[^]{0,4000}?\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|curl\s|wget\s|bash\s+-c|iex\b|osascript)|\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript)\b[^]{0,4000}?(?:clipboard\.writeText|execCommand\s*\(\s*["'`]copy)/i;

/** Finds a page that begins to ask its visitors to run a command. */
export function compareLures(older: Page, newer: Page, { changes }: StructureComparison): void {
  const text = textOf(newer);
  const asks = isLure(text);
  const copies = newer.scripts.find(({ code }) => copiedCommand.test(code.slice(0, MAX_CODE)));
  if (!asks && !copies) return;
  const asked =
    isLure(textOf(older)) || older.scripts.some(({ code }) => copiedCommand.test(code.slice(0, MAX_CODE)));
  if (asked) return;
  changes.push({
    kind: "lure",
    severity: "critical",
    summary: asks
      ? "Page asks its visitors to run a command by hand"
      : "Page puts a command on its visitors' clipboard",
    where: "",
    before: null,
    after: asks ? (lureLine(text) ?? "") : (copies?.code.slice(0, 300) ?? ""),
  });
}

const MAX_CODE = 200_000;

function textOf(page: Page): string {
  return page.blocks.map(({ text }) => text).join("\n");
}
