import { isLure, lureLine } from "../lure.ts";
import type { Page } from "../page.ts";
import type { StructureComparison } from "./structure-change.ts";

const clipboardOrCommand =
  /(?<copy>clipboard\.writeText|execCommand\s*\(\s*["'`]copy)|\b(?<command>(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript)\b)|\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript|curl\s|wget\s|bash\s+-c|iex\b)/gi;
const FAR = 4_000;
const MAX_CODE = 200_000;

/** A command near what fills the clipboard; what scripts also use by themselves (curl, wget) counts only after it. */
function copiesCommand({ code }: { code: string }): boolean {
  let [copied, commanded] = [-Infinity, -Infinity];
  for (const { 0: found, index, groups } of code.slice(0, MAX_CODE).matchAll(clipboardOrCommand)) {
    if (index - (groups?.copy ? commanded : copied) <= FAR) return true;
    if (groups?.copy) copied = index + found.length;
    if (groups?.command) commanded = index + found.length;
  }
  return false;
}

/** Finds a page that begins to ask its visitors to run a command. */
export function compareLures(older: Page, newer: Page, { changes }: StructureComparison): void {
  const text = textOf(newer);
  const asks = isLure(text);
  const copies = newer.scripts.find(copiesCommand);
  if (!asks && !copies) return;
  if (isLure(textOf(older)) || older.scripts.some(copiesCommand)) return;
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

function textOf(page: Page): string {
  return page.blocks.map(({ text }) => text).join("\n");
}
