import type { JobMessage } from "#contract/template.ts";
import { refuseMessage } from "#message-templates/message-template.ts";
import { isRecord, shorten } from "./draft.ts";

/** The names that changedetection.io inserts into messages, and ours. */
const names: Record<string, string> = {
  base_url: "base",
  current_snapshot: "snapshot",
  diff: "diff",
  diff_added: "added",
  diff_full: "diff.full",
  diff_patch: "patch",
  diff_removed: "removed",
  diff_url: "link",
  notification_timestamp: "time",
  preview_url: "link",
  triggered_text: "matched",
  watch_tag: "job.group",
  watch_title: "title",
  watch_url: "url",
  watch_uuid: "job.id",
};

/** What their installations have before anybody edits it: it says what our own message says. */
const usualTexts = new Set([
  "{{watch_url}} had a change.\n---\n{{diff}}\n---",
  "ChangeDetection.io Notification - {{watch_url}}",
]);

/**
 * Translates the message of a watch, its first tag that has one, or of the whole installation. Null if it is the usual
 * one, or can't be translated, which is named in `left`.
 */
export function readMessage(sources: Record<string, unknown>[], left: string[]): JobMessage | null {
  const textOf = (key: string) =>
    sources
      .filter(isRecord)
      .map((source) => source[key])
      .find((text): text is string => typeof text === "string" && text.trim() !== "") ?? "";
  const given = {
    title: textOf("notification_title").trim().slice(0, 1_000),
    text: textOf("notification_body").slice(0, 10_000),
  };
  const isOwn = (text: string) => text.trim() !== "" && !usualTexts.has(text.trim().replaceAll("\r", ""));
  if (!isOwn(given.title) && !isOwn(given.text)) return null;
  const message = { title: translate(given.title), text: translate(given.text) };
  const lose = (why: string) => {
    left.push(`Its message “${shorten(given.text || given.title, 60)}” is left out: ${why}`);
    return null;
  };
  if (/\{%/.test(message.title + message.text)) return lose("it contains Jinja statements.");
  if (message.title.length > 300 || message.text.length > 4_000) return lose("it is too long.");
  if (/[\r\n]/.test(message.title)) return lose("its title has several lines.");
  const refusal = refuseMessage(message);
  return refusal ? lose(refusal.reason.replace(/ Known are:.*$/s, "")) : message;
}

const translate = (text: string) =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(names, name) ? `{{${names[name]}}}` : whole,
  );
