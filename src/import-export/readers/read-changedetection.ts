import { UnreadableFile } from "#contract/unreadable-file.ts";
import { assertCount, type Draft, draft, headersOf, isRecord, shorten, texts } from "./draft.ts";
import { nameLostSettings } from "./name-lost-settings.ts";
import { readMessage } from "./read-message.ts";
import { readWatchSteps } from "./read-text-steps.ts";
import { readTimeLimit } from "./read-time-limit.ts";
import { readWatchConditions } from "./read-watch-conditions.ts";
import { requestOf } from "./request-of.ts";

const units = { weeks: 10_080, days: 1_440, hours: 60, minutes: 1, seconds: 1 / 60 };

/** Settings of a watch or a tag that are translated below. */
const translated = new Set([
  "url",
  "title",
  "tags",
  "tag",
  "paused",
  "time_between_check",
  "time_between_check_use_default",
  "include_filters",
  "subtractive_selectors",
  "ignore_text",
  "trigger_text",
  "headers",
  "method",
  "body",
  "webdriver_delay",
  "text_should_not_be_present",
  "conditions",
  "conditions_match_logic",
  "processor",
  "restock_settings",
  "processor_config_restock_diff",
  "track_ldjson_price_data",
  "follow_price_changes",
  "in_stock_only",
  "price_change_min",
  "price_change_max",
  "price_change_threshold_percent",
  "in_stock_processing",
  "filter_text_added",
  "filter_text_removed",
  "filter_text_replaced",
  "time_schedule_limit",
  "notification_urls",
  "notification_title",
  "notification_body",
  "extract_text",
  "extract_lines_containing",
  "sort_text_alphabetically",
  "remove_duplicate_lines",
  "trim_text_whitespace",
  "overrides_watch",
]);

/** What they store about past checks, how their screens look, and what we do in any case. */
const unneeded = new Set([
  "uuid",
  "date_created",
  "check_count",
  "consecutive_filter_failures",
  "content-type",
  "fetch_time",
  "has_ldjson_price_data",
  "last_checked",
  "last_error",
  "last_notification_error",
  "last_viewed",
  "last_changed",
  "history_n",
  "history",
  "viewed",
  "newest_history_key",
  "notification_alert_count",
  "page_title",
  "previous_md5",
  "previous_md5_before_filters",
  "remote_server_reply",
  "restock",
  "browser_steps_last_error_step",
  "use_page_title_in_list",
  "favicon",
  "_favicon_filename",
  "default",
  "last_check_status",
  "last_filter_config_hash",
  "skip_256_checksum",
  "link",
  "notification_screenshot",
  "filter_failure_notification_send",
  "extract_title_as_title",
  "date_updated",
  "is_restock",
  "screenshot",
  "error_text",
  "llm_prefilter",
]);
const known = new Set([...translated, ...unneeded]);

/** Global settings that are translated, and those that describe their installation or its screens. */
const knownGlobally = new Set([
  "tags",
  "notification_urls",
  "notification_title",
  "notification_body",
  "global_ignore_text",
  "global_subtractive_selectors",
  "scheduler_timezone_default",
  "timezone",
  "base_url",
  "pager_size",
  "password",
  "schema_version",
  "ui",
  "api_access_token",
  "api_access_token_enabled",
  "rss_access_token",
  "rss_content_format",
  "rss_hide_muted_watches",
  "rss_template_type",
  "rss_template_override",
  "rss_diff_length",
  "rss_reader_mode",
  "shared_diff_access",
  "history_snapshot_max_length",
  "ignore_whitespace",
  "ssim_threshold",
  "notification_format",
  "secret_key",
  "llm",
]);

const knownOfRequests = new Set([
  "time_between_check",
  "time_schedule_limit",
  "workers",
  "jitter_seconds",
  "timeout",
]);

/** A watch has a few tags. All rules of its tags are read again for each watch. */
const maxTags = 20;

type Tag = {
  given: Record<string, unknown>;
  /** Sentences about its settings that have no counterpart; the same for each of its watches. */
  lost: string[];
};
type Backup = {
  tags: Map<string, Tag>;
  defaultMinutes: number | null;
  defaultLimit: unknown;
  zone: string;
  /** The messages of the whole installation. */
  messages: Record<string, unknown>;
  ignore: string[];
  headers: Draft["headers"];
};

/**
 * Reads changedetection.io's `url-watches.json`. Every setting is either translated or named as lost: a setting that is
 * in none of the lists above is named by its key.
 */
export function readChangedetection(store: unknown): { drafts: Draft[]; channels: string[] } {
  if (!isRecord(store) || !isRecord(store.watching)) {
    throw new UnreadableFile("This isn’t a backup of changedetection.io: url-watches.json lacks “watching”.");
  }
  const settings = isRecord(store.settings) ? store.settings : {};
  const application = isRecord(settings.application) ? settings.application : {};
  const requests = isRecord(settings.requests) ? settings.requests : {};
  const zone = [application.scheduler_timezone_default, application.timezone].find(
    (name): name is string => typeof name === "string" && name !== "",
  );
  const backup: Backup = {
    tags: readTags(application.tags),
    defaultMinutes: minutesOf(requests.time_between_check),
    defaultLimit: requests.time_schedule_limit,
    zone: zone?.trim() || "UTC",
    messages: application,
    ignore: ignoreOf({
      subtractive_selectors: application.global_subtractive_selectors,
      ignore_text: application.global_ignore_text,
    }),
    headers: headersOf(settings.headers),
  };
  const watches = Object.values(store.watching).filter(isRecord);
  assertCount(watches.length);
  const drafts = watches.map((watch) => readWatch(watch, backup));
  const tags = [...backup.tags.values()].map(({ given }) => given);
  const addresses = [application, ...tags, ...watches].flatMap((one) => texts(one.notification_urls));
  const lost = [
    ...nameLostSettings(withoutUsual(application), knownGlobally, "The global setting "),
    ...nameLostSettings(requests, knownOfRequests, "The global setting "),
    ...texts(application.global_subtractive_selectors)
      .filter((one) => !removedSelectorOf(one))
      .map(
        (one) => `The global setting “Remove elements” has “${shorten(one, 100)}”, which isn’t supported.`,
      ),
  ].slice(0, 40);
  return { drafts, channels: [...new Set([...lost, ...addresses.map(channelWords)])].slice(0, 100) };
}

const ignoreOf = (given: Record<string, unknown>) => [
  ...texts(given.subtractive_selectors).flatMap((one) => removedSelectorOf(one) ?? []),
  ...texts(given.ignore_text).map((one) => (/^\/.*\/[a-z]*$/.test(one) ? one : JSON.stringify(one))),
];

function readWatch(watch: Record<string, unknown>, backup: Backup): Draft {
  const left: string[] = [];
  const tagIds = texts(watch.tags);
  if (tagIds.length > maxTags)
    left.push(`It has ${tagIds.length} tags: the rules of the first ${maxTags} are read.`);
  const tags = tagIds.slice(0, maxTags).flatMap((id) => backup.tags.get(id) ?? []);
  const names = tagIds.map((id) => {
    const title = backup.tags.get(id)?.given.title;
    return shorten(typeof title === "string" ? title : id, 130);
  });
  const [group = null, ...others] = [
    ...names,
    ...(typeof watch.tag === "string" && watch.tag ? [watch.tag] : []),
  ];
  if (others.length > 0)
    left.push(`A job can only be in one group: the tags ${others.join(", ")} are left out.`);
  // The rules of its tags count for a watch in addition to its own.
  const sources = [watch, ...tags.map(({ given }) => given)];
  const listOf = (key: string) => [...new Set(sources.flatMap((one) => texts(one[key])))];
  const selectors = listOf("include_filters").flatMap((filter) => {
    const selector = selectorOf(filter);
    if (!selector) left.push(`The filter “${filter.slice(0, 100)}” isn’t supported.`);
    return selector ?? [];
  });
  for (const filter of listOf("subtractive_selectors").filter((one) => !removedSelectorOf(one)))
    left.push(`“Remove elements” has “${shorten(filter, 100)}”, which isn’t supported.`);
  const triggers = listOf("trigger_text");
  const headers = mergeHeaders(backup.headers, headersOf(watch.headers));
  const request = requestOf({ method: watch.method, body: watch.body, headers }, left);
  const delay = typeof watch.webdriver_delay === "number" ? Math.round(watch.webdriver_delay) : 0;
  if (delay > 15) left.push(`It waited ${delay} seconds before the capture; at most 15 are possible.`);
  const blocking = { ...watch, text_should_not_be_present: listOf("text_should_not_be_present") };
  const { alertIf, values } = readWatchConditions(blocking, left);
  const isDefault = watch.time_between_check_use_default === true;
  const limit =
    isDefault && !isEnabled(watch.time_schedule_limit) ? backup.defaultLimit : watch.time_schedule_limit;
  const schedule = readTimeLimit(limit, backup.zone, left);
  left.push(...nameLost(watch), ...tags.flatMap(({ lost }) => lost));
  const { url, problem, isSource } = readUrl(typeof watch.url === "string" ? watch.url : "");
  const { steps } = readWatchSteps(sources, left);
  const message = readMessage([...sources, backup.messages], left);
  return draft({
    url,
    problem,
    name: typeof watch.title === "string" ? watch.title : "",
    group,
    frequency: isDefault
      ? backup.defaultMinutes
      : (minutesOf(watch.time_between_check) ?? backup.defaultMinutes),
    paused: watch.paused === true,
    selector: selectors.join("\n") || null,
    ignore: [...new Set([...sources.flatMap(ignoreOf), ...backup.ignore])],
    lookup: triggers.length > 0 ? { strings: triggers, when: "appears" } : null,
    ...request,
    waitFor: delay > 0 ? { seconds: Math.min(delay, 15) } : null,
    rest: {
      ...(alertIf ? { alertIf } : {}),
      ...(values.length > 0 ? { values } : {}),
      ...(schedule ? { schedule } : {}),
      ...(steps ? { steps } : {}),
      ...(message ? { message } : {}),
      ...(isSource ? { compareAs: "source" } : {}),
    },
    left,
  });
}

const isEnabled = (limit: unknown) => isRecord(limit) && limit.enabled === true;

function mergeHeaders(shared: Draft["headers"], own: Draft["headers"]): Draft["headers"] {
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...shared.filter(({ name }) => !names.has(name.toLowerCase())), ...own];
}

/** A URL may begin with `source:`, and may contain expressions of the template language Jinja. */
function readUrl(given: string): { url: string; problem: string | null; isSource: boolean } {
  const url = given.trim().replace(/^source:\s*/i, "");
  const isTemplate = /\{[{%]/.test(url);
  return {
    url,
    isSource: url !== given.trim(),
    problem: isTemplate
      ? "Its URL contains a Jinja expression, which is not run here. For a date, write {{date:yyyy-MM-dd}} or {{date:yyyy-MM-dd, -1 day}} in the URL and create the job by hand."
      : null,
  };
}

/** Sentences of their own for the settings that users look for; all others are named by their key. */
const sentences: Record<string, string> = {
  browser_steps: "Browser steps aren’t supported.",
  webdriver_js_execute_code: "Running JavaScript isn’t supported.",
  proxy: "The proxy is left out.",
  notification_muted: "Its notifications were muted: here it sends alerts. Pause it, or give it conditions.",
  check_unique_lines: "“Only unique lines” isn’t supported.",
  price_change_custom_include_filters:
    "The price's own filter isn’t supported: follow a value by a selector.",
};
const knownOfWatches = new Set([...known].filter((key) => key !== "processor"));

const usualValues: Record<string, string[]> = {
  fetch_backend: ["system", "html_requests", "html_webdriver"],
  filter_failure_notification_threshold_attempts: ["6"],
  processor: ["text_json_diff", "restock_diff"],
  notification_format: ["System default"],
};

/** The settings that don't have the value that they have in every new installation. */
const withoutUsual = (given: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([key, value]) => !(Object.hasOwn(usualValues, key) && usualValues[key]?.includes(String(value))),
    ),
  );

const nameLost = (watch: Record<string, unknown>) =>
  nameLostSettings(withoutUsual(watch), knownOfWatches, "", sentences);

function readTags(given: unknown): Map<string, Tag> {
  const tags = Object.entries(isRecord(given) ? given : {});
  assertCount(tags.length);
  return new Map(
    tags.flatMap(([id, tag]) => (isRecord(tag) ? [[id, { given: tag, lost: nameLostOfTag(tag) }]] : [])),
  );
}

function nameLostOfTag(tag: Record<string, unknown>): string[] {
  const title = typeof tag.title === "string" ? shorten(tag.title, 60) : "?";
  const switchedOff = ["filter_text_added", "filter_text_removed", "filter_text_replaced"].filter(
    (key) => tag[key] === false,
  );
  const whole = { ...tag, ...(isEnabled(tag.time_schedule_limit) ? { "schedule limit": true } : {}) };
  return [
    ...nameLostSettings(whole, knownOfTags, `Of the tag “${title}”, `),
    ...switchedOff.map((key) => `Of the tag “${title}”, “${key}” (off) isn’t supported.`),
  ];
}

/** What a watch has from its tags here, too, and what every tag has. */
const inheritedOfTags = [
  "title",
  "include_filters",
  "subtractive_selectors",
  "ignore_text",
  "trigger_text",
  "text_should_not_be_present",
  "notification_urls",
  "notification_title",
  "notification_body",
  "extract_text",
  "extract_lines_containing",
  "extract_lines_containing",
  "sort_text_alphabetically",
  "remove_duplicate_lines",
  "trim_text_whitespace",
  "overrides_watch",
  "method",
  "fetch_backend",
  "processor",
  "filter_text_added",
  "filter_text_removed",
  "filter_text_replaced",
  "follow_price_changes",
  "in_stock_only",
  "time_between_check",
  "time_between_check_use_default",
  "time_schedule_limit",
  "conditions_match_logic",
  "notification_format",
  "tag_colour",
  "url_match_pattern",
];
const knownOfTags = new Set([...unneeded, ...inheritedOfTags]);

/** Translates a filter: CSS is used as it is, other kinds are recognized by their prefix. */
export function selectorOf(filter: string): string | null {
  const [, kind = "", rest = ""] = /^(xpath1?|json|jq|jqraw):(.*)$/s.exec(filter) ?? [];
  if (kind.startsWith("xpath")) return `xpath:${rest}`;
  if (kind === "json") return `jsonpath:${rest}`;
  if (kind !== "") return `jq:${rest}`;
  return filter.startsWith("/") ? `xpath:${filter}` : filter;
}

/** The same for what is removed: jq can only choose. */
const removedSelectorOf = (filter: string) => (/^jq(raw)?:/.test(filter) ? null : selectorOf(filter));

function minutesOf(value: unknown): number | null {
  if (!isRecord(value)) return null;
  const sum = Object.entries(units).reduce(
    (total, [unit, minutes]) => total + (Number(value[unit]) || 0) * minutes,
    0,
  );
  return sum > 0 ? Math.max(1, Math.round(sum)) : null;
}

const schemes: Record<string, string> = {
  discord: "Discord",
  tgram: "Telegram",
  slack: "Slack",
  workflows: "Microsoft Teams",
  msteams: "Microsoft Teams",
  ntfy: "ntfy",
  ntfys: "ntfy",
  matrix: "Matrix",
  matrixs: "Matrix",
  mailto: "Email",
  mailtos: "Email",
  json: "Webhook",
  jsons: "Webhook",
  form: "Webhook",
  forms: "Webhook",
  post: "Webhook",
  posts: "Webhook",
};

/** Notification addresses contain secrets in their own notation, so only the channel is named. */
function channelWords(address: string): string {
  const scheme = /^([a-z]{1,20}):/i.exec(address)?.[1]?.toLowerCase() ?? "";
  const name = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  return name
    ? `It sends notifications by ${name}: set it up under BOT and Automations in the profile.`
    : `It sends notifications by “${scheme || address.slice(0, 20)}”, which isn’t supported.`;
}
