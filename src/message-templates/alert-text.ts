import {
  type Alert,
  type ChangedLine,
  conditionWords,
  type Digest,
  digestTitle,
  opinionWords,
  statusWords,
} from "./alert.ts";
import { cut, cutLine, type Line, plainMarkup, plainText, writeLine } from "./rich-text.ts";

const inLine = (text: string, length: number) => cut(text.replace(/\s+/g, " ").trim(), length);
const lineLength = 240;

/** A changed line or a finding; `~` marks a line in which only some words changed. */
export type ShownLine = { sign: "+" | "-" | "~" | "!"; line: Line };

/** The changed lines and findings that fit the limit, measured as the receiver counts them, and how many do not. */
export function changedLines(
  alert: Alert,
  limit: number,
  write: (shown: ShownLine) => string = asText,
): { lines: ShownLine[]; left: number } {
  const all: ShownLine[] = [
    ...alert.lines.map((line) => ({ sign: line.sign, line: runsOf(line) })),
    ...alert.findings.map(({ kind, value }) => ({
      sign: "!" as const,
      line: [{ text: `${kind}: ${inLine(value, lineLength)}` }],
    })),
  ];
  let length = 0;
  const lines = all.filter((shown) => (length += write(shown).length + 1) <= limit);
  return { lines, left: all.length - lines.length + alert.moreLines };
}

function runsOf(changed: ChangedLine): Line {
  if (changed.sign !== "~") return [{ text: inLine(changed.text, lineLength) }];
  const runs = changed.words.flatMap(({ op, text }, at): Line => {
    const shown = text.replace(/\s+/g, " ");
    if (op === "same") return [{ text: shown }];
    // Old and new text must not run together into one word.
    const gap = op === "added" && changed.words[at - 1]?.op === "removed" && !/^\s/.test(shown);
    return [...(gap ? [{ text: " " }] : []), { text: shown, look: op }];
  });
  return cutLine(runs, 2 * lineLength);
}

/** A line with its sign, as it is shown everywhere except in code blocks. */
export function prefixSign({ sign, line: [first, ...rest] }: ShownLine): Line {
  if (!first || first.look) return [{ text: `${sign} ` }, ...(first ? [first] : []), ...rest];
  return [{ text: `${sign} ${first.text}` }, ...rest];
}

export function asText(shown: ShownLine): string {
  return writeLine(prefixSign(shown), plainMarkup);
}

/** All changed lines as removed and added lines; a `~` line becomes both. */
export function signedLines(alert: Alert, limit: number): string[] {
  const joinSide = (words: Extract<ChangedLine, { sign: "~" }>["words"], other: "added" | "removed") =>
    words
      .filter(({ op }) => op !== other)
      .map(({ text }) => text)
      .join("");
  const lines = alert.lines.flatMap((line) =>
    line.sign === "~"
      ? [
          { sign: "-" as const, text: joinSide(line.words, "added") },
          { sign: "+" as const, text: joinSide(line.words, "removed") },
        ]
      : [line],
  );
  return changedLines({ ...alert, lines }, limit).lines.map(asText);
}

/** The lines of the user's template; undefined if there is none, or it has no text for this alert. */
export const templateLines = ({ own }: Alert): Line[] | undefined =>
  own && own.lines.length > 0 ? own.lines : undefined;

/** A model's words, met conditions, status, similarity and address: the facts besides the changed lines. */
export function facts(alert: Alert): string[] {
  const [status, condition, opinion] = [statusWords(alert), conditionWords(alert), opinionWords(alert)];
  return [
    ...(opinion ? [inLine(opinion, 300)] : []),
    ...(condition ? [inLine(condition, 300)] : []),
    ...(status ? [`Status ${status}`] : []),
    ...(alert.similarity === null ? [] : [`${Math.round(alert.similarity)}% alike`]),
    ...(alert.url ? [inLine(alert.url, 300)] : []),
  ];
}

/** An alert's text without its title, from our own layout or the user's template. */
export function alertLines(alert: Alert, limit: number): Line[] {
  const { lines, left } = changedLines(alert, limit - 1_500);
  const text = (content: string): Line => [{ text: content }];
  const note = alert.note ? [text(inLine(alert.note, 300))] : [];
  const own = templateLines(alert);
  return [
    ...(own
      ? [...own, ...note]
      : [
          text(inLine(alert.message, 500)),
          ...note,
          ...lines.map(prefixSign),
          ...(left > 0 ? [text(`… ${left} more`)] : []),
          ...facts(alert).map(text),
        ]),
    ...(alert.question
      ? [
          text(alert.question.text),
          ...alert.question.choices.map(({ label, link }) => text(`${label}: ${link}`)),
        ]
      : []),
  ];
}

/** An alert as plain text, for receivers that support nothing else. */
export const alertText = (alert: Alert, limit: number): string => plainText(alertLines(alert, limit));

/** What a digest says about one change, the conditions that it met, and what a model said about it. */
export function entryText(entry: Digest["entries"][number], length: number): string {
  const [condition, opinion] = [conditionWords(entry), opinionWords(entry)];
  return [
    inLine(entry.message, length),
    ...(condition ? [inLine(condition, 120)] : []),
    ...(opinion ? [inLine(opinion, 350)] : []),
  ].join(" · ");
}

export function digestText(digest: Digest, limit: number): { title: string; text: string } {
  let length = 0;
  const opinion = opinionWords(digest);
  const all = digest.entries.map((entry) => `• ${inLine(entry.title, 60)}: ${entryText(entry, 120)}`);
  const fitting = all.filter((line) => (length += line.length + 1) <= limit - 600);
  const left = all.length - fitting.length;
  return {
    title: digestTitle(digest),
    text: [
      ...(digest.note ? [inLine(digest.note, 300)] : []),
      ...(opinion ? [inLine(opinion, 300)] : []),
      ...fitting,
      ...(left > 0 ? [`… ${left} more`] : []),
    ].join("\n"),
  };
}

export const titleText = (alert: Alert, length: number) => inLine(alert.own?.title ?? alert.title, length);
