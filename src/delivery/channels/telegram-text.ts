import { type Alert, type Digest, digestTitle, statusWords } from "../alert.ts";
import { asText, changedLines, ownLines, type ShownLine, titleText } from "../alert-text.ts";
import { cut } from "../fill-placeholders.ts";
import { fitLines, type Line, type Markup, writeLine } from "../rich-text.ts";

/** Telegram's limits, counted in UTF-16 units after its markup is read. */
export const telegramLimits = { text: 4096, caption: 1024, photoBytes: 10 * 1024 * 1024 };

// Telegram reads a dialect of its own: three characters are markup, quotes are not.
const escape = (text: string) =>
  text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** What a page says is words: it calls nobody (@name) and offers no command (/stop) to tap on. */
export const asWords = (text: string) => calm(oneLine(text));
const calm = (text: string) => text.replace(/@(?=\w)|(?<![^\s(])\/(?=[a-z])/gi, "$&\u2060");

const markup: Markup = {
  escape: (text) => escape(calm(text)),
  marks: {
    bold: ["<b>", "</b>"],
    struck: ["<s>", "</s>"],
    code: ["<code>", "</code>"],
    removed: ["<s>", "</s>"],
    added: ["<b>", "</b>"],
  },
};

/** Lines that came or went in a block of equal letters; those of which some words did, between. */
function asBlocks(lines: ShownLine[]): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  const flush = () => {
    if (block.length > 0) blocks.push(`<pre>${escape(block.join("\n"))}</pre>`);
    block = [];
  };
  for (const { sign, line } of lines) {
    if (sign !== "~") block.push(`${sign} ${line.map(({ text }) => text).join("")}`);
    else {
      flush();
      blocks.push(writeLine(line, markup));
    }
  }
  flush();
  return blocks;
}

const marks = { info: "ℹ️", notice: "🔵", important: "🟠", critical: "🔴" } as const;

/** An alert as Telegram's HTML, never longer than the limit: the changed lines give way, the link stays. */
export function alertText(alert: Alert, limit: number): string {
  const title = asWords(titleText(alert, 120));
  const own = ownLines(alert);
  if (own) return ownText(alert, title, own, limit);
  const facts = [
    cut(asWords(alert.message), 300),
    ...(statusWords(alert) ? [`Status ${statusWords(alert)}`] : []),
    ...(alert.question ? [alert.question.text] : []),
    ...(alert.note ? [cut(asWords(alert.note), 200)] : []),
    ...(alert.url ? [cut(alert.url, 200)] : []),
  ];
  const head = `${marks[alert.severity]} ${title}\n${facts.join("\n")}`;
  const { lines, left } = changedLines(alert, limit - head.length - alert.link.length - 24, (shown) =>
    shown.sign === "~" ? calm(shown.line.map(({ text }) => text).join("")) : asText(shown),
  );
  return [
    `${marks[alert.severity]} <b>${escape(title)}</b>`,
    ...facts.map(escape),
    ...asBlocks(lines),
    ...(left > 0 ? [`… ${left} more`] : []),
    "",
    escape(alert.link),
  ].join("\n");
}

function ownText(alert: Alert, title: string, lines: Line[], limit: number): string {
  const rest = [
    ...(alert.question ? [alert.question.text] : []),
    ...(alert.note ? [cut(asWords(alert.note), 200)] : []),
  ];
  const room = limit - title.length - rest.join("\n").length - 8;
  const calmed = lines.map((line) => line.map((run) => ({ ...run, text: calm(run.text) })));
  return [
    `${marks[alert.severity]} <b>${escape(title)}</b>`,
    ...fitLines(calmed, room).map((line) => writeLine(line, { ...markup, escape })),
    ...rest.map(escape),
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
