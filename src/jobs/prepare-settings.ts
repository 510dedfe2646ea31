import { validateConditions } from "#alert-conditions/conditions.ts";
import { canonicalBrowser, canonicalLanguage } from "#contract/browser-settings.ts";
import { AppError } from "#contract/errors.ts";
import {
  type SettingName,
  type SettingsInput,
  type SettingValue,
  type SettingValues,
  settingNames,
} from "#contract/job-settings.ts";
import { unmaskValues } from "#contract/mask.ts";
import { takesBody } from "#contract/request-method.ts";
import { canonicalSecondOpinion } from "#contract/second-opinion.ts";
import { validateCss } from "#detection/selectors-and-ignore-rules/rules.ts";
import { fillDates, refuseDates } from "#message-templates/fill-dates.ts";
import { hidePasswords } from "#page-steps/password-fields.ts";
import { readSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { prepareMessage } from "./prepare-message.ts";
import { assertHeaders, assertTimetable, assertValues, openTrigger } from "./rules.ts";

type Context = { deps: Pick<Deps, "secrets" | "refuseHeaders">; old: JobRow | undefined };
type Prepare<Name extends SettingName> = (
  value: NonNullable<SettingValue<Name>>,
  context: Context,
) => SettingValue<Name>;

/** Checks and corrects the settings that need it; all others are stored as they are given. */
const prepare: { [Name in SettingName]?: Prepare<Name> } = {
  headers(given, { deps, old }) {
    const headers = unmaskValues(given, old ? readSetting(deps.secrets, old, "headers") : []);
    assertHeaders(deps, headers, "headers");
    return headers;
  },
  stepSecrets(given, { deps, old }) {
    return unmaskValues(given, old ? readSetting(deps.secrets, old, "stepSecrets") : []);
  },
  trigger(trigger, { deps, old }) {
    const stored = old ? openTrigger(deps.secrets, old) : null;
    const headers = unmaskValues(trigger.headers, stored?.headers ?? []);
    assertHeaders(deps, headers, "trigger.headers");
    return { ...trigger, headers };
  },
  waitFor(waitFor) {
    const { selector, text, quiet, seconds } = waitFor;
    const reason = selector ? validateCss(selector) : null;
    if (reason) throw new AppError("INVALID_INPUT", reason, { field: "waitFor.selector" });
    const given = {
      ...(selector && { selector }),
      ...(text && { text }),
      ...(quiet && { quiet }),
      ...(seconds && { seconds }),
    };
    return Object.keys(given).length > 0 ? given : null;
  },
  message: (message) => prepareMessage(message),
  request(request) {
    const refuse = (reason: string) => {
      throw new AppError("INVALID_INPUT", reason, { field: "request.body" });
    };
    const reason = refuseDates(request.body);
    if (reason) refuse(reason);
    const hasBody = request.body.trim() !== "";
    if (hasBody && !takesBody(request.method)) refuse(`Nothing is sent with ${request.method}.`);
    if (request.as !== "json" || !hasBody) return request;
    try {
      JSON.parse(fillDates(request.body, new Date()));
    } catch {
      refuse("The body is not JSON.");
    }
    return request;
  },
  browser: (browser) => canonicalBrowser(browser),
  secondOpinion: (wanted) => canonicalSecondOpinion(wanted),
  schedule(schedule) {
    assertTimetable(schedule);
    return schedule;
  },
};

function prepareOne<Name extends SettingName>(
  name: Name,
  input: SettingsInput,
  context: Context,
): SettingValue<Name> | undefined {
  const value = input[name] as SettingValue<Name> | undefined;
  const change = prepare[name] as Prepare<Name> | undefined;
  return value === undefined || value === null || !change ? value : change(value, context);
}

/**
 * The settings to store for those that are given, unmasked and corrected. Selectors and patterns must have passed
 * `assertRules` before.
 */
export function prepareSettings(
  deps: Context["deps"],
  input: SettingsInput,
  old?: JobRow,
): Partial<SettingValues> {
  const given = trimRules(input);
  const entries = settingNames.map((name) => [name, prepareOne(name, given, { deps, old })] as const);
  const wanted = Object.fromEntries(
    entries.filter(([, value]) => value !== undefined),
  ) as Partial<SettingValues>;
  if (wanted.pageSteps) {
    const known = wanted.stepSecrets ?? (old ? readSetting(deps.secrets, old, "stepSecrets") : []);
    const typed = hidePasswords(wanted.pageSteps, known);
    wanted.pageSteps = typed.steps;
    if (typed.secrets.length > known.length) wanted.stepSecrets = typed.secrets;
  }
  const followed = (wanted.values ?? old?.follow ?? []).map(({ name }) => name);
  const alertIf = wanted.alertIf === undefined ? old?.alert_if : wanted.alertIf;
  const wrong = alertIf && validateConditions(alertIf, followed);
  if (wrong) throw new AppError("INVALID_INPUT", wrong.reason, { field: `alertIf.conditions.${wrong.at}` });
  assertNoContradiction(deps, wanted, old);
  if (wanted.trigger) assertValues(wanted.trigger, followed);
  const selector = wanted.selector === undefined ? old?.selector : wanted.selector;
  if (wanted.awaited && !selector)
    throw new AppError("INVALID_INPUT", "Enter a CSS selector for the element to wait for.", {
      field: "selector",
    });
  // Without a selector of its own, the job has nothing left to wait for.
  return !selector && old?.awaited ? { ...wanted, awaited: false } : wanted;
}

/** An iPad calls itself a Macintosh. */
const desktopAgents = { phone: /Windows NT|Macintosh|X11;/, tablet: /Windows NT|X11;/ };

/** Refuses settings of which one makes the other pointless. */
function assertNoContradiction(
  { secrets }: Context["deps"],
  wanted: Partial<SettingValues>,
  old: JobRow | undefined,
): void {
  const valueOf = <Name extends "request" | "headers" | "browser" | "waitFor" | "pageSteps">(name: Name) =>
    wanted[name] === undefined ? old && readSetting(secrets, old, name) : wanted[name];
  const refuse = (message: string, ...fields: [SettingName, string][]) => {
    const [, field] = fields.find(([name]) => wanted[name] !== undefined) ?? fields[0] ?? [];
    throw new AppError("INVALID_INPUT", message, field === undefined ? {} : { field });
  };
  const request = valueOf("request");
  // The browser must not say one language in its requests and another to the page's scripts.
  const language = valueOf("browser")?.language;
  const headerNamed = (wantedName: string) =>
    (valueOf("headers") ?? []).find(({ name }) => name.toLowerCase() === wantedName);
  const header = headerNamed("accept-language");
  const sent = (header?.value ?? request?.language ?? "").split(/[,;]/)[0]?.trim();
  if (language && sent && canonicalLanguage(sent) !== language)
    refuse(
      `The browser’s language is ${language}, but the request says ${sent}. Choose one of them.`,
      ["browser", "browser.language"],
      header ? ["headers", "headers"] : ["request", "request.language"],
    );
  const device = valueOf("browser")?.device;
  const agentHeader = headerNamed("user-agent");
  const agent = agentHeader?.value ?? request?.userAgent ?? "";
  if ((device === "phone" || device === "tablet") && desktopAgents[device].test(agent))
    refuse(
      `The device is a ${device}, but the user agent is a desktop browser’s. Choose one of them.`,
      ["browser", "browser.device"],
      agentHeader ? ["headers", "headers"] : ["request", "request.userAgent"],
    );
  if (request?.method !== "HEAD") return;
  if (valueOf("waitFor"))
    refuse("HEAD gets no page to wait for.", ["waitFor", "waitFor"], ["request", "request.method"]);
  if (valueOf("pageSteps")?.length)
    refuse("HEAD gets no page to do steps on.", ["pageSteps", "pageSteps"], ["request", "request.method"]);
}

/** Removes the white space around a selector and ignore rules, as they are stored. */
export function trimRules<Given extends Pick<SettingsInput, "selector" | "ignore">>(given: Given): Given {
  return {
    ...given,
    ...(typeof given.selector === "string" && { selector: given.selector.trim() || null }),
    ...(given.ignore && { ignore: given.ignore.map((entry) => entry.trim()) }),
  };
}
