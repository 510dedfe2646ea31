import type { StructureContext } from "../html-comparison/structure-change.ts";
import type { Page } from "../html-parsing/page.ts";
import { severityOf } from "../severity/severity.ts";
import { findPasteScamLine, isPasteScam } from "./paste-scam.ts";

const clipboardOrCommand =
  /(?<copy>clipboard\.writeText|execCommand\s*\(\s*["'`]copy)|\b(?<command>(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript)\b)|\b(?:powershell|mshta|cmd(?:\.exe)?\s+\/c|rundll32|osascript|curl\s|wget\s|bash\s+-c|iex\b)/gi;
const MAX_DISTANCE = 4_000;
const MAX_CODE = 200_000;

/** Whether code fills the clipboard near a command; commands common in scripts (curl, wget) count only after that. */
function copiesCommand({ code }: { code: string }): boolean {
  let [copyEnd, commandEnd] = [-Infinity, -Infinity];
  for (const { 0: found, index, groups } of code.slice(0, MAX_CODE).matchAll(clipboardOrCommand)) {
    if (index - (groups?.copy ? commandEnd : copyEnd) <= MAX_DISTANCE) return true;
    if (groups?.copy) copyEnd = index + found.length;
    if (groups?.command) commandEnd = index + found.length;
  }
  return false;
}

/** Finds a page that newly asks its visitors to run a command. */
export function comparePasteScams({ older, newer, found }: StructureContext): void {
  const text = textOf(newer);
  const asks = isPasteScam(text);
  const copies = newer.scripts.find(copiesCommand);
  if (!asks && !copies) return;
  if (isPasteScam(textOf(older)) || older.scripts.some(copiesCommand)) return;
  found.changes.push({
    kind: "lure",
    severity: severityOf.pasteScam,
    summary: asks
      ? "Page asks its visitors to run a command by hand"
      : "Page copies a command to its visitors' clipboard",
    where: "",
    before: null,
    after: asks ? (findPasteScamLine(text) ?? "") : (copies?.code.slice(0, 300) ?? ""),
  });
}

function textOf(page: Page): string {
  return page.blocks.map(({ text }) => text).join("\n");
}
