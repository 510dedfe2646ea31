import type { JobUpdate } from "#contract/job.ts";

/** What users call the fields of a job, as the screens do. */
const fieldNames: Record<keyof JobUpdate, string> = {
  name: "name",
  url: "URL",
  frequency: "frequency",
  groupId: "group",
  note: "note",
  tags: "tags",
  site: "site",
  channels: "channels",
  message: "message",
  request: "request",
  tellFailures: "failure alerts",
  schedule: "schedule",
  headers: "request headers",
  trigger: "HTTP trigger",
  lookup: "text lookup",
  selector: "compared part",
  awaited: "alert when it appears",
  waitFor: "waiting before the capture",
  pageSteps: "steps before the capture",
  stepSecrets: "secrets of the steps",
  identity: "identity",
  sharesSignedIn: "sharing what is behind the sign-in",
  browser: "browser",
  proxies: "proxies",
  secondOpinion: "second opinion",
  steps: "steps",
  compareAs: "what is compared",
  joinsSelector: "group selector",
  ignore: "ignore rules",
  notInherited: "group defaults not inherited",
  alertIf: "alert conditions",
  values: "numbers",
};

const maxNamed = 4;

/** Names the first few fields in words, and counts the others. */
export function nameFields(fields: string[]): string {
  const names = fields.map((field) => (fieldNames as Record<string, string>)[field] ?? field);
  const left = names.length - maxNamed;
  return [...names.slice(0, maxNamed), ...(left > 0 ? [`${left} more`] : [])].join(", ");
}
