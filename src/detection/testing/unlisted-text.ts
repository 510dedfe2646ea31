import { Parser } from "htmlparser2";
import { decodeCfEmail } from "../noise/urls.ts";
import type { Verdict } from "../verdict/verdict.ts";

const unread = new Set(
  "script style template noscript svg math title textarea iframe object audio video canvas map head noembed noframes datalist".split(
    " ",
  ),
);
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd mark q s samp small span strike strong sub sup svg time tt u var wbr".split(
    " ",
  ),
);

/** The lines a reader may see, found in a simpler way than detection does: split at every element that isn't inline. */
export function linesOf(html: string): string[] {
  const lines: string[] = [];
  let line = "";
  const open: boolean[] = [];
  const cut = () => {
    const text = fold(line);
    if (text !== "") lines.push(text);
    line = "";
  };
  const parser = new Parser({
    onopentag: (name, { hidden, style, "data-cfemail": coded }) => {
      const isHidden = hidden !== undefined || /display\s*:\s*none/i.test(style ?? "");
      const isInUnread = open.at(-1) === true;
      const hasNoReadableText = isInUnread || unread.has(name) || isHidden;
      open.push(hasNoReadableText || coded !== undefined);
      if (!isInUnread && !inline.has(name)) cut();
      // Cloudflare hides mail addresses from robots, but readers see them.
      if (coded !== undefined && !hasNoReadableText) line += decodeCfEmail(coded);
    },
    onclosetag: (name) => {
      open.pop();
      if (open.at(-1) !== true && !inline.has(name)) cut();
    },
    ontext: (text) => {
      if (open.at(-1) !== true) line += text;
    },
  });
  parser.end(html);
  cut();
  return lines;
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const fold = (text: string) => text.replace(invisible, "").replace(/\s+/g, " ").trim();
const squash = (text: string) => text.normalize("NFC").replace(invisible, "").replace(/\s+/g, "");

/**
 * The lines that one page has more often than the other and that a verdict neither reports nor lists. A list that was
 * cut says how many entries it left out; as many lines may be missing from it.
 */
export function findUnlistedText(before: string, after: string, verdict: Verdict): string[] {
  const reported = verdict.reasons.flatMap(({ changes }) => changes);
  const listed = [...reported, ...verdict.ignored];
  const missing = [
    ...missingFrom(
      surplus(linesOf(before), linesOf(after)),
      listed.map((one) => one.before),
    ),
    ...missingFrom(
      surplus(linesOf(after), linesOf(before)),
      listed.map((one) => one.after),
    ),
  ];
  let cut = verdict.ignoredCount - verdict.ignored.length;
  for (const { changes, count } of verdict.reasons) cut += Math.max(0, count - changes.length);
  return missing.slice(2 * cut);
}

function missingFrom(lines: string[], listed: (string | null)[]): string[] {
  const pieces = listed.filter((piece) => piece !== null).map(squash);
  const whole = pieces.join("\n");
  return lines.filter((line) => {
    const text = squash(line);
    // Detection may split lines elsewhere: one line here may be several there, and a long one may be shortened.
    return !whole.includes(text) && !pieces.some((piece) => isShortened(text, piece));
  });
}

function isShortened(text: string, piece: string): boolean {
  const shownPart = piece.replace(/^…|…$/g, "");
  return (
    shownPart.length > 0 && (piece.startsWith("…") ? text.includes(shownPart) : text.startsWith(shownPart))
  );
}

function surplus(lines: string[], others: string[]): string[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(squash(other), (counts.get(squash(other)) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(squash(line)) ?? 0;
    counts.set(squash(line), left - 1);
    return left <= 0;
  });
}
