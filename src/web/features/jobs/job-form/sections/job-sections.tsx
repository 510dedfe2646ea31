import type { ReactNode } from "react";
import type { GroupSettings, JobUpdate } from "#contract/job.ts";
import { countOf } from "#web/ui/count-of.ts";
import { FollowedValues } from "../../followed-values/followed-values.tsx";
import { browserNote } from "../browser-fields.tsx";
import { ChannelChoice, channelsNote } from "../channel-choice.tsx";
import { Conditions } from "../conditions/conditions.tsx";
import { Failures, failuresNote } from "../failures.tsx";
import { type JobFields, linesOf } from "../fields.ts";
import { IdentityChoice, identityNote } from "../identity-choice.tsx";
import { PageStepsSection, pageStepsNote } from "../page-steps/page-steps-section.tsx";
import { ProxyChoice, proxiesNote } from "../proxy-choice.tsx";
import { requestNote } from "../request-fields.tsx";
import { Schedule, scheduleNote } from "../schedule/schedule.tsx";
import { secondOpinionNote } from "../second-opinion/second-opinion-fields.tsx";
import { SecondOpinionSection } from "../second-opinion/second-opinion-section.tsx";
import { siteFieldNames, siteNote } from "../site-fields.ts";
import { TriggerFields } from "../trigger/trigger-fields.tsx";
import { BrowserSection } from "./browser-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { LookupSection } from "./lookup-section.tsx";
import { MessageSection, messageNote } from "./message-section.tsx";
import { NoteSection } from "./note-section.tsx";
import { RequestSection } from "./request-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import type { SectionProps } from "./section-props.ts";
import { SiteSection } from "./site-section.tsx";

export type JobSection = {
  id: string;
  title: string;
  /** The fields that the section edits; each field belongs to exactly one section. */
  fields: readonly (keyof JobFields)[];
  /** The parts of the API's input that are saved with the section. */
  saves: readonly (keyof JobUpdate)[];
  /** Summarizes what is set, in a few words. */
  note: (fields: JobFields, inherited: GroupSettings | null) => string;
  /** Belongs to the part "Advanced" of a new job. */
  isAdvanced?: true;
  render: (props: SectionProps) => ReactNode;
};

/** The sections of a job's form, in the order of the settings page. A new field goes into one of these rows. */
export const jobSections: readonly JobSection[] = [
  {
    id: "general",
    title: "General",
    fields: ["name", "url", "groupId", "frequency"],
    saves: ["name", "url", "groupId", "frequency"],
    note: () => "",
    render: (props) => <GeneralSection {...props} />,
  },
  {
    id: "site",
    title: "Whole site",
    fields: siteFieldNames,
    saves: ["site"],
    note: siteNote,
    render: (props) => <SiteSection {...props} />,
  },
  {
    id: "rules",
    title: "Compare and ignore",
    fields: [
      "selector",
      "awaited",
      "ignore",
      "leavesSelector",
      "leftIgnore",
      "joinsSelector",
      "steps",
      "compareAs",
    ],
    saves: ["selector", "awaited", "ignore", "notInherited", "joinsSelector", "steps", "compareAs"],
    note: rulesNote,
    isAdvanced: true,
    render: (props) => <RulesSection {...props} />,
  },
  {
    id: "conditions",
    title: "Alert only if",
    fields: ["conditions", "alertAll", "alertMatch"],
    saves: ["alertIf"],
    note: conditionsNote,
    render: ({ inherited, ...props }) => <Conditions {...props} inherited={inherited?.alertIf ?? null} />,
  },
  {
    id: "numbers",
    title: "Numbers",
    fields: ["values"],
    saves: ["values"],
    note: ({ values }) =>
      values
        .map(({ name }) => name)
        .filter(Boolean)
        .join(", ") || "none followed",
    render: ({ jobId, ...props }) => <FollowedValues {...props} {...(jobId && { jobId })} />,
  },
  {
    id: "lookup",
    title: "Text lookup",
    fields: ["lookupStrings", "lookupWhen"],
    saves: ["lookup"],
    note: ({ lookupStrings }) => countOrNone(linesOf(lookupStrings).length, "text"),
    isAdvanced: true,
    render: (props) => <LookupSection {...props} />,
  },
  {
    id: "schedule",
    title: "When to check",
    fields: ["scheduleKind", "scheduleZone", "scheduleWeek", "scheduleCron"],
    saves: ["schedule"],
    note: (fields, inherited) => scheduleNote(fields, inherited?.schedule),
    render: ({ inherited, ...props }) => <Schedule {...props} inherited={inherited?.schedule} />,
  },
  {
    id: "failures",
    title: "Failures",
    fields: ["failDown", "failGone"],
    saves: ["tellFailures"],
    note: (fields, inherited) => failuresNote(fields, inherited?.tellFailures ?? null),
    render: ({ inherited, ...props }) => <Failures {...props} inherited={inherited?.tellFailures} />,
  },
  {
    id: "channels",
    title: "Alerts go to",
    fields: ["channels"],
    saves: ["channels"],
    note: (fields, inherited) =>
      fields.channels.length === 0 && inherited?.channels
        ? `group default: ${channelsNote({ channels: inherited.channels })}`
        : channelsNote(fields),
    render: ({ inherited, ...props }) => <ChannelChoice {...props} inherited={inherited?.channels} />,
  },
  {
    id: "message",
    title: "Message",
    fields: ["messageTitle", "messageText"],
    saves: ["message"],
    note: (fields, inherited) =>
      inherited?.message && messageNote(fields) === messageNote(noMessage)
        ? "group default: custom text"
        : messageNote(fields),
    isAdvanced: true,
    render: ({ jobId, ...props }) => <MessageSection {...props} {...(jobId && { jobId })} />,
  },
  {
    id: "request",
    title: "Request",
    fields: ["requestMethod", "requestAs", "requestBody", "userAgent", "language", "headers"],
    saves: ["request", "headers"],
    note: (fields) =>
      [requestNote(fields), fields.headers.length > 0 && countOf(fields.headers.length, "header")]
        .filter(Boolean)
        .join(", "),
    isAdvanced: true,
    render: (props) => <RequestSection {...props} />,
  },
  {
    id: "browser",
    title: "Browser",
    fields: [
      "browser",
      "browserLanguage",
      "browserTimeZone",
      "waitSelector",
      "waitSeconds",
      "waitText",
      "waitQuiet",
    ],
    saves: ["browser", "waitFor"],
    note: (fields, inherited) => browserNote(fields, inherited?.browser),
    isAdvanced: true,
    render: (props) => <BrowserSection {...props} />,
  },
  {
    id: "identity",
    title: "Sign-in",
    fields: ["identity", "sharesSignedIn"],
    saves: ["identity", "sharesSignedIn"],
    note: (fields, inherited) => identityNote(fields, inherited?.identity),
    isAdvanced: true,
    render: ({ inherited, ...props }) => <IdentityChoice {...props} inherited={inherited} />,
  },
  {
    id: "page-steps",
    title: "Steps before the capture",
    fields: ["pageSteps", "stepSecrets", "skipsGroupSteps"],
    saves: ["pageSteps", "stepSecrets"],
    note: (fields, inherited) => pageStepsNote(fields, inherited?.pageSteps),
    isAdvanced: true,
    render: (props) => <PageStepsSection {...props} />,
  },
  {
    id: "proxies",
    title: "Proxy",
    fields: ["proxies"],
    saves: ["proxies"],
    note: (fields, inherited) => proxiesNote(fields, inherited?.proxies),
    isAdvanced: true,
    render: ({ inherited, ...props }) => <ProxyChoice {...props} inherited={inherited?.proxies} />,
  },
  {
    id: "second-opinion",
    title: "Second opinion",
    fields: ["opinionUse", "opinionMatters"],
    saves: ["secondOpinion"],
    note: (fields, inherited) => secondOpinionNote(fields, inherited?.secondOpinion),
    isAdvanced: true,
    render: (props) => <SecondOpinionSection {...props} />,
  },
  {
    id: "trigger",
    title: "HTTP trigger",
    fields: ["triggerUrl", "triggerMethod", "triggerBody", "triggerStrings", "triggerHeaders"],
    saves: ["trigger"],
    note: ({ triggerUrl, triggerMethod }) => (triggerUrl.trim() ? triggerMethod : "none"),
    isAdvanced: true,
    render: ({ jobId, ...props }) => <TriggerFields {...props} {...(jobId && { jobId })} />,
  },
  {
    id: "note",
    title: "Note and tags",
    fields: ["note", "tags"],
    saves: ["note", "tags"],
    note: ({ tags }) => tags,
    isAdvanced: true,
    render: (props) => <NoteSection {...props} />,
  },
];

const noMessage = { messageTitle: "", messageText: "" };

/** Whether a section's fields differ from those of another state of the job. */
export function sectionDiffers({ fields: names }: JobSection, one: JobFields, other: JobFields): boolean {
  return names.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

/** Returns the part of an object with these keys. */
export function pickKeys<T extends object, Key extends keyof T>(
  whole: T,
  names: readonly Key[],
): Pick<T, Key> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<T, Key>;
}

function rulesNote({ selector, ignore, steps, compareAs }: JobFields): string {
  const ignored = linesOf(ignore).length;
  const whole = compareAs === "source" ? "source" : "page";
  return [
    selector.trim() ? `part of the ${whole}` : `whole ${whole}`,
    ...(ignored > 0 ? [countOf(ignored, "ignore rule")] : []),
    ...(steps.length > 0 ? [countOf(steps.length, "step")] : []),
  ].join(", ");
}

const countOrNone = (count: number, noun: string) => (count > 0 ? countOf(count, noun) : "none");

function conditionsNote({ conditions, alertAll }: JobFields, inherited: GroupSettings | null): string {
  if (conditions.length > 0) return countOf(conditions.length, "condition");
  const count = inherited?.alertIf?.conditions.length ?? 0;
  return count > 0 && !alertAll ? `group default: ${countOf(count, "condition")}` : "every change";
}
