import { type Alert, type Digest, digestTitle, statusWords } from "./alert.ts";
import { cut } from "./fill-placeholders.ts";

const inLine = (text: string, length: number) => cut(text.replace(/\s+/g, " ").trim(), length);

/** The changed lines and findings that fit, and how many do not. */
export function diffLines(alert: Alert, limit: number): { lines: string[]; left: number } {
  const all = [
    ...alert.lines.map(({ sign, text }) => `${sign} ${inLine(text, 240)}`),
    ...alert.findings.map(({ kind, value }) => `! ${kind}: ${inLine(value, 240)}`),
  ];
  let length = 0;
  const lines = all.filter((line) => (length += line.length + 1) <= limit);
  return { lines, left: all.length - lines.length + alert.moreLines };
}

/** What is known besides the lines: status, likeness, address. */
export function facts(alert: Alert): string[] {
  const status = statusWords(alert);
  return [
    ...(status ? [`Status ${status}`] : []),
    ...(alert.similarity === null ? [] : [`${Math.round(alert.similarity)} % alike`]),
    ...(alert.url ? [inLine(alert.url, 300)] : []),
  ];
}

/** An alert as plain text, for receivers that know nothing else. */
export function alertText(alert: Alert, limit: number): string {
  const { lines, left } = diffLines(alert, limit - 1_500);
  return [
    inLine(alert.message, 500),
    ...(alert.note ? [inLine(alert.note, 300)] : []),
    ...lines,
    ...(left > 0 ? [`… ${left} more`] : []),
    ...facts(alert),
    ...(alert.question
      ? [alert.question.text, ...alert.question.choices.map(({ label, link }) => `${label}: ${link}`)]
      : []),
  ].join("\n");
}

export function digestText(digest: Digest, limit: number): { title: string; text: string } {
  let length = 0;
  const all = digest.entries.map(({ title, message }) => `• ${inLine(title, 60)}: ${inLine(message, 120)}`);
  const kept = all.filter((line) => (length += line.length + 1) <= limit - 600);
  const left = all.length - kept.length;
  return {
    title: digestTitle(digest),
    text: [
      ...(digest.note ? [inLine(digest.note, 300)] : []),
      ...kept,
      ...(left > 0 ? [`… ${left} more`] : []),
    ].join("\n"),
  };
}

export const titleText = (alert: Alert, length: number) => inLine(alert.title, length);
