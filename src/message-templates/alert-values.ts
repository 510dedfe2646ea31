import { type Alert, type Digest, opinionWords, statusWords } from "./alert.ts";
import { alertText, changedLines, digestText, prefixSign, signedLines } from "./alert-text.ts";
import { plainText } from "./rich-text.ts";
import type { TemplateValues } from "./template.ts";

/** Values of a template's placeholders for an alert. */
export function alertValues(alert: Alert): TemplateValues {
  return {
    ...changeNames({
      kind: alert.kind,
      severity: alert.severity,
      title: alert.own?.title ?? alert.title,
      message: alert.message,
      url: alert.url,
      link: alert.link,
      time: alert.at.toISOString(),
      job: alert.jobId,
      execution: alert.executionId,
      status: statusWords(alert),
      similarity: alert.similarity,
      condition: alert.condition,
      opinion: opinionWords(alert),
      words: plainText(changedLines(alert, 16_000).lines.map(prefixSign)),
      diff: signedLines(alert, 16_000).join("\n"),
      text: alertText(alert, 18_000),
    }),
    ...alert.values,
  };
}

/** Values of a template's placeholders for a digest. */
export function digestValues(digest: Digest): TemplateValues {
  const { title, text } = digestText(digest, 18_000);
  const at = digest.entries.at(-1)?.at ?? new Date();
  return changeNames({
    kind: "digest",
    severity: "notice",
    title,
    message: text,
    link: digest.link,
    time: at.toISOString(),
    base: digest.base ?? null,
    opinion: opinionWords(digest),
    words: "",
    diff: "",
    text,
  });
}

/** Adds a change's names for the same things, so that a template suits messages that report no change, too. */
const changeNames = (values: TemplateValues): TemplateValues => ({
  ...values,
  "job.id": values.job ?? null,
  "job.name": values.title ?? null,
  "job.url": values.url ?? null,
  "execution.id": values.execution ?? null,
  "execution.time": values.time ?? null,
  summary: values.message ?? null,
});
