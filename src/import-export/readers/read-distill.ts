import { assertCount, type Draft, draft, isRecord, records, shorten, texts } from "./draft.ts";
import { nameLostSettings } from "./name-lost-settings.ts";
import { assertDepth } from "./parse-json.ts";

/** What is translated, and what only their own service needs. Everything else is named as lost. */
const known = {
  monitor: new Set([
    "name",
    "uri",
    "config",
    "schedule",
    "tags",
    "state",
    "rules",
    "id",
    "client",
    "client_id",
    "sid",
    "rank",
    "ts",
    "ts_mod",
    "ctime",
    "mtime",
    "last_checked",
    "next_ts",
    "content_type",
    "type",
    "favicon",
    "ver",
    "version",
    "deleted",
  ]),
  config: new Set(["selections", "uri"]),
  params: new Set(["interval"]),
  selection: new Set(["delay", "frames", "uri"]),
  frame: new Set(["index", "includes", "excludes"]),
};

/** Reads Distill's export: `data` holds monitors whose `config` and `schedule` are JSON inside JSON. */
export function readDistill(file: Record<string, unknown>): Draft[] {
  const list = Array.isArray(file.data) ? file.data.filter(isRecord) : [];
  assertCount(list.length);
  return list.map((monitor) => {
    const left: string[] = [];
    const open = (name: "config" | "schedule" | "rules") => {
      const inner = parseInner(monitor[name]);
      if (!inner) left.push(`“${name}” can’t be read and is left out.`);
      return inner ?? {};
    };
    const [config, schedule, rules] = [open("config"), open("schedule"), open("rules")];
    const selectors: string[] = [];
    const ignore: string[] = [];
    let seconds = 0;
    for (const selection of records(config.selections)) {
      seconds = Math.max(seconds, Number(selection.delay) || 0);
      for (const frame of records(selection.frames)) {
        if (Number(frame.index) > 0) left.push("A selection inside a frame isn’t supported.");
        else {
          selectors.push(...expressions(frame.includes, left));
          ignore.push(...expressions(frame.excludes, left));
        }
      }
    }
    if (seconds > 15)
      left.push(`It waited ${Math.round(seconds)} seconds before the capture; at most 15 are possible.`);
    const params = isRecord(schedule.params) ? schedule.params : {};
    const interval = Number(params.interval);
    if (schedule.type && schedule.type !== "INTERVAL")
      left.push(
        `The schedule “${typeof schedule.type === "string" ? shorten(schedule.type, 60) : "?"}” isn’t supported.`,
      );
    if (Object.keys(rules).length > 0) left.push("Conditions are left out.");
    const lost = [
      ...nameLostSettings(monitor, known.monitor),
      ...nameLostSettings(config, known.config),
      ...nameLostSettings(params, known.params, "Of the schedule, "),
      ...records(config.selections).flatMap((selection) => [
        ...nameLostSettings(selection, known.selection, "Of a selection, "),
        ...records(selection.frames).flatMap((frame) =>
          nameLostSettings(frame, known.frame, "Of a selection, "),
        ),
      ]),
    ];
    const [group = null, ...others] =
      typeof monitor.tags === "string"
        ? monitor.tags
            .slice(0, 5_000)
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean)
        : texts(monitor.tags);
    if (others.length > 0)
      lost.push(`A job can only be in one group: the tags ${others.join(", ")} are left out.`);
    return draft({
      url: typeof monitor.uri === "string" ? monitor.uri : typeof config.uri === "string" ? config.uri : "",
      name: typeof monitor.name === "string" ? monitor.name : "",
      group,
      frequency: interval > 0 ? Math.max(1, Math.round(interval / 60)) : null,
      paused: monitor.state === 0 || monitor.state === "OFF",
      selector: selectors.join("\n") || null,
      ignore,
      waitFor: seconds > 0 ? { seconds: Math.min(Math.round(seconds), 15) } : null,
      left: [...left, ...lost],
    });
  });
}

function expressions(list: unknown, left: string[]): string[] {
  return records(list).flatMap(({ type, expr }) => {
    if (typeof expr !== "string" || expr === "") return [];
    if (type === "css") return [expr];
    if (type === "xpath") return [`xpath:${expr}`];
    left.push(`A selection by “${typeof type === "string" ? shorten(type, 60) : "?"}” isn’t supported.`);
    return [];
  });
}

/** Null if there is something that can't be read. */
function parseInner(value: unknown): Record<string, unknown> | null {
  if (isRecord(value)) return value;
  if (value === undefined || value === null || value === "") return {};
  if (typeof value !== "string") return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return null;
  }
  assertDepth(parsed);
  const isEmpty = parsed === null || (Array.isArray(parsed) && parsed.length === 0);
  return isEmpty ? {} : isRecord(parsed) ? parsed : null;
}
