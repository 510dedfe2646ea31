import type { alertPlaceholders } from "#contract/placeholders.ts";
import { type Alert, statusWords } from "./alert.ts";
import { alertText, changedLines, lineLooks, signedLines } from "./alert-text.ts";
import { plainText } from "./rich-text.ts";

export type AlertValues = Record<keyof typeof alertPlaceholders, string | number | null>;

/** What a template's placeholders stand for in an alert. */
export function alertValues(alert: Alert): AlertValues {
  return {
    kind: alert.kind,
    severity: alert.severity,
    title: alert.title,
    message: alert.message,
    url: alert.url,
    link: alert.link,
    time: alert.at.toISOString(),
    job: alert.jobId,
    execution: alert.executionId,
    status: statusWords(alert),
    similarity: alert.similarity,
    words: plainText(changedLines(alert, 16_000).lines.map(lineLooks)),
    diff: signedLines(alert, 16_000).join("\n"),
    text: alertText(alert, 18_000),
  };
}
