import { type Alert, type Digest, digestTitle, statusWords } from "../alert.ts";
import { cut } from "../fill-placeholders.ts";

/** Telegram's limits, counted in UTF-16 units after its markup is read. */
export const telegramLimits = { text: 4096, caption: 1024, photoBytes: 10 * 1024 * 1024 };

// Telegram reads a dialect of its own: three characters are markup, quotes are not.
const escape = (text: string) =>
  text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** What a page says is words: it calls nobody (@name) and offers no command (/stop) to tap on. */
export const asWords = (text: string) =>
  oneLine(text).replace(/@(?=\w)|(?<![^\s(])\/(?=[a-z])/gi, "$&\u2060");

const marks = { info: "ℹ️", notice: "🔵", important: "🟠", critical: "🔴" } as const;

/** An alert as Telegram's HTML, never longer than the limit: the changed lines give way, the link stays. */
export function alertText(alert: Alert, limit: number): string {
  const title = cut(asWords(alert.title), 120);
  const facts = [
    cut(asWords(alert.message), 300),
    ...(statusWords(alert) ? [`Status ${statusWords(alert)}`] : []),
    ...(alert.question ? [alert.question.text] : []),
    ...(alert.note ? [cut(asWords(alert.note), 200)] : []),
    ...(alert.url ? [cut(alert.url, 200)] : []),
  ];
  const head = `${marks[alert.severity]} ${title}\n${facts.join("\n")}`;
  let room = limit - head.length - alert.link.length - 4;
  const body: string[] = [];
  const lines = [
    ...alert.lines.map(({ sign, text }) => `${sign} ${oneLine(text)}`),
    ...alert.findings.map(({ kind, value }) => `! ${kind}: ${oneLine(value)}`),
  ];
  let shown = 0;
  for (const line of lines) {
    const fitted = cut(line, 240);
    if (fitted.length + 1 > room - 20) break;
    body.push(fitted);
    room -= fitted.length + 1;
    shown++;
  }
  const left = lines.length - shown + alert.moreLines;
  if (left > 0) body.push(`… ${left} more`);
  return [
    `${marks[alert.severity]} <b>${escape(title)}</b>`,
    ...facts.map(escape),
    ...(body.length > 0 ? [`<pre>${escape(body.join("\n"))}</pre>`] : []),
    "",
    escape(alert.link),
  ].join("\n");
}

export function digestText(digest: Digest): string {
  const lines = [digestTitle(digest), ...(digest.note ? [cut(asWords(digest.note), 200)] : [])];
  let room = telegramLimits.text - lines.join("\n").length - digest.link.length - 24;
  let shown = 0;
  for (const { title, message, severity } of digest.entries) {
    const line = `${marks[severity]} ${cut(asWords(title), 60)}: ${cut(asWords(message), 120)}`;
    if (line.length + 1 > room) break;
    lines.push(line);
    room -= line.length + 1;
    shown++;
  }
  if (shown < digest.entries.length) lines.push(`… ${digest.entries.length - shown} more`);
  const [title = "", ...rest] = lines;
  return [`<b>${escape(title)}</b>`, ...rest.map(escape), "", escape(digest.link)].join("\n");
}
