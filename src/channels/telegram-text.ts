import {
  type Alert,
  conditionWords,
  type Digest,
  digestTitle,
  opinionWords,
  statusWords,
} from "#message-templates/alert.ts";
import {
  asText,
  changedLines,
  entryText,
  type ShownLine,
  templateLines,
  titleText,
} from "#message-templates/alert-text.ts";
import { cut, fitLines, type Line, type Markup, writeLine } from "#message-templates/rich-text.ts";

/** Telegram's limits, counted in UTF-16 units after parsing the markup. */
export const telegramLimits = { text: 4096, caption: 1024, photoBytes: 10 * 1024 * 1024 };

// Telegram's HTML dialect: only these three characters are markup, quotes are not.
const escape = (text: string) =>
  text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Turns text from a page into plain words: it mentions nobody (@name) and offers no command (/stop) to tap. */
export const disarmText = (text: string) => disarm(oneLine(text));
const disarm = (text: string) => text.replace(/@(?=\w)|(?<![^\s(])\/(?=[a-z])/gi, "$&\u2060");

const markup: Markup = {
  escape: (text) => escape(disarm(text)),
  marks: {
    bold: ["<b>", "</b>"],
    struck: ["<s>", "</s>"],
    code: ["<code>", "</code>"],
    removed: ["<s>", "</s>"],
    added: ["<b>", "</b>"],
  },
};

/** Puts added and removed lines into a preformatted block, and lines with changed words between them. */
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

/** An alert as Telegram's HTML within the limit: changed lines are dropped if needed, the link always stays. */
export function alertText(alert: Alert, limit: number): string {
  const title = disarmText(titleText(alert, 120));
  const own = templateLines(alert);
  if (own) return ownText(alert, title, own, limit);
  const whole = factsOf(alert, 300, 200);
  // A caption that is too long costs the picture.
  const facts = whole.join("\n").length > limit - 300 ? factsOf(alert, 140, 100) : whole;
  const head = `${marks[alert.severity]} ${title}\n${facts.join("\n")}`;
  const { lines, left } = changedLines(alert, limit - head.length - alert.link.length - 24, (shown) =>
    shown.sign === "~" ? disarm(shown.line.map(({ text }) => text).join("")) : asText(shown),
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

function factsOf(alert: Alert, long: number, short: number): string[] {
  const [condition, opinion, status] = [conditionWords(alert), opinionWords(alert), statusWords(alert)];
  return [
    cut(disarmText(alert.message), long),
    ...(opinion ? [cut(disarmText(opinion), long)] : []),
    ...(condition ? [cut(disarmText(condition), long)] : []),
    ...(status ? [`Status ${status}`] : []),
    ...(alert.question ? [alert.question.text] : []),
    ...(alert.note ? [cut(disarmText(alert.note), short)] : []),
    ...(alert.url ? [cut(alert.url, short)] : []),
  ];
}

function ownText(alert: Alert, title: string, lines: Line[], limit: number): string {
  const additions = [
    ...(alert.question ? [alert.question.text] : []),
    ...(alert.note ? [cut(disarmText(alert.note), 200)] : []),
  ];
  const room = limit - title.length - additions.join("\n").length - 8;
  const disarmed = lines.map((line) => line.map((run) => ({ ...run, text: disarm(run.text) })));
  return [
    `${marks[alert.severity]} <b>${escape(title)}</b>`,
    ...fitLines(disarmed, room).map((line) => writeLine(line, { ...markup, escape })),
    ...additions.map(escape),
  ].join("\n");
}

export function digestText(digest: Digest): string {
  const opinion = opinionWords(digest);
  const lines = [
    digestTitle(digest),
    ...(digest.note ? [cut(disarmText(digest.note), 200)] : []),
    ...(opinion ? [cut(disarmText(opinion), 300)] : []),
  ];
  let room = telegramLimits.text - lines.join("\n").length - digest.link.length - 24;
  let shown = 0;
  for (const entry of digest.entries) {
    const line = `${marks[entry.severity]} ${cut(disarmText(entry.title), 60)}: ${disarmText(entryText(entry, 120))}`;
    if (line.length + 1 > room) break;
    lines.push(line);
    room -= line.length + 1;
    shown++;
  }
  if (shown < digest.entries.length) lines.push(`… ${digest.entries.length - shown} more`);
  const [title = "", ...rest] = lines;
  return [`<b>${escape(title)}</b>`, ...rest.map(escape), "", escape(digest.link)].join("\n");
}
