import { alertPlaceholders } from "#contract/placeholders.ts";
import type { Template } from "#contract/template.ts";
import type { Alert } from "./alert.ts";
import { changedLines, lineLooks } from "./alert-text.ts";
import { type AlertValues, alertValues } from "./alert-values.ts";
import { cut } from "./fill-placeholders.ts";
import { fillText, unknownPlaceholder } from "./fill-template.ts";
import { cutLine, fitLines, type Line, type Look, type Run } from "./rich-text.ts";

const token = /\*\*|~~|`|\{\{\s*([\w.]+)\s*\}\}/g;
const looks: Record<string, Look> = { "**": "bold", "~~": "struck", "`": "code" };
const lineLength = 1_000;

/** Why a template cannot be saved and at which field; null when it can. */
export function refuseTemplate({
  title,
  text,
}: Template): { field: "title" | "text"; reason: string } | null {
  for (const [field, given] of [
    ["title", title],
    ["text", text],
  ] as const) {
    const unknown = unknownPlaceholder(given, alertPlaceholders);
    if (unknown)
      return {
        field,
        reason: `${unknown} stands for nothing. Known are: ${Object.keys(alertPlaceholders).join(", ")}.`,
      };
    if (/\{\{|\}\}/.test(fillText(given, emptyValues)))
      return { field, reason: "A placeholder is not closed: it looks like {{title}}." };
  }
  const open = text.split("\n").findIndex((line) => openMark(line) !== undefined);
  if (open < 0) return null;
  const mark = openMark(text.split("\n")[open] ?? "");
  return { field: "text", reason: `In line ${open + 1} ${mark} opens and does not close.` };
}

const emptyValues = Object.fromEntries(Object.keys(alertPlaceholders).map((name) => [name, null]));

function openMark(line: string): string | undefined {
  const open: string[] = [];
  for (const [mark, name] of line.matchAll(token)) {
    if (name !== undefined) continue;
    if (open.at(-1) === mark) open.pop();
    else open.push(mark);
  }
  return open.at(-1);
}

/** An alert in its user's words, within the limit; what pages say fills it as text, never as marks. */
export function fillMessage(template: Template, alert: Alert, limit: number): NonNullable<Alert["own"]> {
  const values = alertValues(alert);
  const title = fillText(template.title, values).replace(/\s+/g, " ").trim();
  const lines = template.text.trim() === "" ? [] : template.text.split(/\r?\n/).flatMap(fill(alert, values));
  const isBlank = lines.every((line) => line.every(({ text }) => text.trim() === ""));
  return {
    title: title === "" ? null : cut(title, 200),
    lines: isBlank ? [] : fitLines(trimmed(lines), limit),
  };
}

const fill =
  (alert: Alert, values: AlertValues) =>
  (template: string): Line[] => {
    const open: Look[] = [];
    const lines: Line[] = [[]];
    let said = "";
    let isAsked = false;
    const put = (run: Run) => {
      if (run.text === "") return;
      const look = run.look ?? open.at(-1);
      lines.at(-1)?.push({ text: run.text, ...(look ? { look } : {}) });
    };
    let at = 0;
    for (const found of template.matchAll(token)) {
      const [whole, name] = found;
      const literal = template.slice(at, found.index);
      put({ text: literal });
      said += literal;
      at = found.index + whole.length;
      const look = looks[whole];
      if (look && open.at(-1) === look) open.pop();
      else if (look) open.push(look);
      else {
        isAsked = true;
        linesOf(name ?? "", alert, values).forEach((line, index) => {
          if (index > 0) lines.push([]);
          line.forEach(put);
          said += line.map(({ text }) => text).join("");
        });
      }
    }
    put({ text: template.slice(at) });
    said += template.slice(at);
    // A line whose placeholders have nothing to say is not there.
    return isAsked && said.trim() === "" ? [] : lines.map((line) => cutLine(line, lineLength));
  };

function linesOf(name: string, alert: Alert, values: AlertValues): Line[] {
  if (name === "words") return changedLines(alert, 16_000).lines.map(lineLooks);
  const value = values[name as keyof AlertValues];
  return value === null || value === undefined
    ? []
    : String(value)
        .split("\n")
        .map((text) => [{ text }]);
}

function trimmed(lines: Line[]): Line[] {
  const isBlank = (line: Line) => line.every(({ text }) => text.trim() === "");
  return lines.slice(
    lines.findIndex((line) => !isBlank(line)),
    lines.findLastIndex((line) => !isBlank(line)) + 1,
  );
}
