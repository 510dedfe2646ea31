import { describeCondition } from "#alert-conditions/describe-condition.ts";
import type { Draft } from "./draft.ts";
import { stepWords } from "./read-text-steps.ts";

const countSteps = (count: number) => (count === 1 ? "1 step" : `${count} steps`);

/** Describes the settings of a draft that have no field of their own in the reply. */
export function describeOtherSettings({ request, rest }: Draft): string[] {
  const options = rest.request ?? request;
  const { alertIf, values = [] } = rest;
  return [
    ...(rest.note ? ["Has a note."] : []),
    ...(options?.method && options.method !== "GET" ? [`Requested by ${options.method}.`] : []),
    ...(options?.userAgent ? ["Requested as another browser."] : []),
    ...(options?.language ? [`Requested in ${options.language}.`] : []),
    ...(alertIf ? [`Alerts only if: ${alertIf.conditions.map(describeCondition).join(", ")}.`] : []),
    ...(values.length > 0 ? [`Follows ${values.map(({ name }) => name).join(", ")}.`] : []),
    ...(rest.steps ? [`Steps: ${stepWords(rest.steps)}.`] : []),
    ...(rest.pageSteps && rest.pageSteps.length > 0
      ? [`Does ${countSteps(rest.pageSteps.length)} before the capture.`]
      : []),
    ...(rest.compareAs === "source" ? ["Compares the source."] : []),
    ...(rest.message ? ["Alerts in its own words."] : []),
    ...(rest.tags && rest.tags.length > 0 ? [`Tags: ${rest.tags.join(", ")}.`] : []),
    ...(rest.schedule ? ["Checked on its own schedule."] : []),
    ...(rest.tellFailures ? ["Has its own rule for failed checks."] : []),
    ...(rest.channels ? [`Alerts by ${rest.channels.join(", ")}.`] : []),
  ];
}
