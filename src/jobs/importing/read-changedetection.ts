import { UnreadableFile } from "../unreadable-file.ts";
import { assertCount, type Draft, draft, headersOf, isRecord, shorten, texts } from "./draft.ts";
import { requestOf } from "./request-of.ts";

const units = { weeks: 10_080, days: 1_440, hours: 60, minutes: 1, seconds: 1 / 60 };

/** changedetection.io's `url-watches.json`: watches, tags, filters, headers, intervals; of the rest what is left. */
export function readChangedetection(store: unknown): { drafts: Draft[]; channels: string[] } {
  if (!isRecord(store) || !isRecord(store.watching)) {
    throw new UnreadableFile("This is no backup of changedetection.io: url-watches.json lacks “watching”.");
  }
  const settings = isRecord(store.settings) ? store.settings : {};
  const application = isRecord(settings.application) ? settings.application : {};
  const requests = isRecord(settings.requests) ? settings.requests : {};
  const tags = isRecord(application.tags) ? application.tags : {};
  const common = minutesOf(requests.time_between_check);
  const watches = Object.values(store.watching).filter(isRecord);
  assertCount(watches.length);
  const drafts = watches.flatMap((watch) =>
    typeof watch.url === "string" ? [readWatch(watch, tags, common)] : [],
  );
  const addresses = [
    ...texts(application.notification_urls),
    ...watches.flatMap((watch) => texts(watch.notification_urls)),
  ];
  return { drafts, channels: [...new Set(addresses.map(channelWords))].slice(0, 100) };
}

function readWatch(
  watch: Record<string, unknown>,
  tags: Record<string, unknown>,
  common: number | null,
): Draft {
  const left: string[] = [];
  const selectors = texts(watch.include_filters).flatMap((filter) => {
    const known = selectorOf(filter);
    if (!known) left.push(`The filter “${filter.slice(0, 100)}” has no counterpart.`);
    return known ?? [];
  });
  const names = texts(watch.tags).map((id) => {
    const tag = Object.hasOwn(tags, id) ? tags[id] : null;
    return shorten(isRecord(tag) && typeof tag.title === "string" ? tag.title : id, 130);
  });
  const [group = null, ...others] = [
    ...names,
    ...(typeof watch.tag === "string" && watch.tag ? [watch.tag] : []),
  ];
  if (others.length > 0) left.push(`A job is in one group: the tags ${others.join(", ")} are left out.`);
  const triggers = texts(watch.trigger_text);
  if (texts(watch.text_should_not_be_present).length > 0)
    left.push("“Block change-detection while text matches” has no counterpart.");
  if (texts(watch.extract_text).length > 0) left.push("“Extract text” has no counterpart.");
  const headers = headersOf(watch.headers);
  const request = requestOf({ method: watch.method, body: watch.body, headers }, left);
  if (Array.isArray(watch.browser_steps) && watch.browser_steps.length > 0)
    left.push("Browser steps have no counterpart.");
  if (typeof watch.webdriver_js_execute_code === "string" && watch.webdriver_js_execute_code)
    left.push("JavaScript to run has no counterpart.");
  if (typeof watch.proxy === "string" && watch.proxy) left.push("The proxy is left out.");
  const delay = typeof watch.webdriver_delay === "number" ? Math.round(watch.webdriver_delay) : 0;
  return draft({
    url: String(watch.url),
    name: typeof watch.title === "string" ? watch.title : "",
    group,
    frequency:
      watch.time_between_check_use_default === true
        ? common
        : (minutesOf(watch.time_between_check) ?? common),
    paused: watch.paused === true,
    selector: selectors.join("\n") || null,
    ignore: [
      ...texts(watch.subtractive_selectors).flatMap((one) => selectorOf(one) ?? []),
      ...texts(watch.ignore_text).map((one) => (/^\/.*\/[a-z]*$/.test(one) ? one : JSON.stringify(one))),
    ],
    lookup: triggers.length > 0 ? { strings: triggers, when: "appears" } : null,
    ...request,
    waitFor: delay > 0 ? { seconds: Math.min(delay, 15) } : null,
    left,
  });
}

/** CSS is ours too; the others by their mark. */
export function selectorOf(filter: string): string | null {
  const [, kind = "", rest = ""] = /^(xpath1?|json|jq|jqraw):(.*)$/s.exec(filter) ?? [];
  if (kind.startsWith("xpath")) return `xpath:${rest}`;
  if (kind === "json") return `jsonpath:${rest}`;
  if (kind !== "") return null;
  return filter.startsWith("/") ? `xpath:${filter}` : filter;
}

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
  mailto: "E-mail",
  mailtos: "E-mail",
  json: "Webhook",
  jsons: "Webhook",
  form: "Webhook",
  forms: "Webhook",
  post: "Webhook",
  posts: "Webhook",
};

/** Addresses carry secrets in a notation of their own: which channel they mean is said, they themselves are not taken. */
function channelWords(address: string): string {
  const scheme = /^([a-z]{1,20}):/i.exec(address)?.[1]?.toLowerCase() ?? "";
  const name = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
  return name
    ? `It notifies by ${name}: put the address in under BOT and Automations in the profile.`
    : `It notifies by “${scheme || address.slice(0, 20)}”, which has no counterpart.`;
}
