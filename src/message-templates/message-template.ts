import type { Template } from "#contract/template.ts";
import type { Alert } from "./alert.ts";
import { changedLines, prefixSign } from "./alert-text.ts";
import { alertValues } from "./alert-values.ts";
import {
  knownPlaceholders,
  messagePlaceholders,
  placeholderPattern,
  refusePlaceholders,
} from "./placeholders.ts";
import { cut, cutLine, fitLines, type Line, type Look, lengthOf, type Run } from "./rich-text.ts";
import { fillTemplate, limitLength, type TemplateValues } from "./template.ts";

const token = new RegExp(`\\*\\*|~~|\`|${placeholderPattern.source}`, "g");
const looks: Record<string, Look> = { "**": "bold", "~~": "struck", "`": "code" };
const lineLength = 1_000;
/** In characters and lines. No channel sends as much, and a template may repeat its longest value hundreds of times. */
const maxFilled = 100_000;

/** Why a message's template cannot be saved, and in which field; null if it can. */
export function refuseMessage({ title, text }: Template): { field: "title" | "text"; reason: string } | null {
  for (const [field, given] of [
    ["title", title],
    ["text", text],
  ] as const) {
    const refusal = refusePlaceholders(given);
    if (refusal)
      return {
        field,
        reason:
          "wrongDate" in refusal
            ? refusal.wrongDate
            : `${refusal.unknown} isn’t a known placeholder. ${knownPlaceholders(messagePlaceholders)}`,
      };
    if (/\{\{|\}\}/.test(fillTemplate(given, {}, "text")))
      return { field, reason: "A placeholder is not closed: it looks like {{title}}." };
  }
  const open = text.split("\n").findIndex((line) => openMark(line) !== undefined);
  if (open < 0) return null;
  const mark = openMark(text.split("\n")[open] ?? "");
  return { field: "text", reason: `In line ${open + 1} ${mark} is opened but never closed.` };
}

function openMark(line: string): string | undefined {
  const open: string[] = [];
  for (const [mark, name] of line.matchAll(token)) {
    if (name !== undefined) continue;
    if (open.at(-1) === mark) open.pop();
    else open.push(mark);
  }
  return open.at(-1);
}

/** Fills the user's template within the limit; values from pages are inserted as text, never as markup. */
export function fillMessage(template: Template, alert: Alert, limit: number): NonNullable<Alert["own"]> {
  const values = alertValues(alert);
  const title = fillTemplate(template.title, values, "text").replace(/\s+/g, " ").trim();
  const lines =
    template.text.trim() === "" ? [] : template.text.split(/\r?\n/).flatMap(lineFiller(alert, values));
  const isBlank = lines.every((line) => line.every(({ text }) => text.trim() === ""));
  return {
    title: title === "" ? null : cut(title, 200),
    lines: isBlank ? [] : fitLines(trimBlankLines(lines), limit),
  };
}

/** The lines of each placeholder's value; none once the message has as much as any channel sends. */
function valueReader(alert: Alert, values: TemplateValues): (name: string) => Line[] {
  const known = new Map<string, { lines: Line[]; length: number }>();
  const fits = limitLength(maxFilled);
  const read = (name: string) => {
    const lines =
      name === "words"
        ? changedLines(alert, 16_000).lines.map(prefixSign)
        : toLines(fillTemplate(`{{${name}}}`, values, "text"));
    const value = { lines, length: lines.reduce((sum, line) => sum + lengthOf(line) + 1, 0) };
    known.set(name, value);
    return value;
  };
  return (name) => {
    const value = known.get(name) ?? read(name);
    return fits(value) ? value.lines : [];
  };
}

function lineFiller(alert: Alert, values: TemplateValues): (template: string) => Line[] {
  const linesOf = valueReader(alert, values);
  return (template) => {
    const open: Look[] = [];
    const lines: Line[] = [[]];
    let lineText = "";
    let hasPlaceholder = false;
    const addRun = (run: Run) => {
      if (run.text === "") return;
      const look = run.look ?? open.at(-1);
      lines.at(-1)?.push({ text: run.text, ...(look ? { look } : {}) });
    };
    let at = 0;
    for (const found of template.matchAll(token)) {
      const [whole, name = ""] = found;
      const literal = template.slice(at, found.index);
      addRun({ text: literal });
      lineText += literal;
      at = found.index + whole.length;
      const look = looks[whole];
      if (look && open.at(-1) === look) open.pop();
      else if (look) open.push(look);
      else {
        hasPlaceholder = true;
        linesOf(name).forEach((line, index) => {
          if (index > 0) lines.push([]);
          line.forEach(addRun);
          lineText += line.map(({ text }) => text).join("");
        });
      }
    }
    addRun({ text: template.slice(at) });
    lineText += template.slice(at);
    // A line is left out if its placeholders are all empty and it has no other text.
    return hasPlaceholder && lineText.trim() === "" ? [] : lines.map((line) => cutLine(line, lineLength));
  };
}

const toLines = (text: string): Line[] => text.split("\n").map((line) => [{ text: line }]);

function trimBlankLines(lines: Line[]): Line[] {
  const isBlank = (line: Line) => line.every(({ text }) => text.trim() === "");
  return lines.slice(
    lines.findIndex((line) => !isBlank(line)),
    lines.findLastIndex((line) => !isBlank(line)) + 1,
  );
}
