import { AlertIf, Follow } from "#contract/alert-if.ts";
import { sayCondition } from "#detection/say-condition.ts";
import type { Draft } from "./draft.ts";

/** What becomes of a draft besides what has a place of its own in the answer, in words. */
export function moreOf({ request, rest }: Draft): string[] {
  const asked = (rest.request ?? request) as Draft["request"];
  const alertIf = AlertIf.safeParse(rest.alertIf).data;
  const values = Follow.array().safeParse(rest.values).data ?? [];
  return [
    ...(asked?.method && asked.method !== "GET" ? [`Asked for by ${asked.method}.`] : []),
    ...(asked?.userAgent ? ["Asked for as another browser."] : []),
    ...(asked?.language ? [`Asked for in ${asked.language}.`] : []),
    ...(alertIf ? [`Told only if: ${alertIf.conditions.map(sayCondition).join(", ")}.`] : []),
    ...(values.length > 0 ? [`Follows ${values.map(({ name }) => name).join(", ")}.`] : []),
    ...(rest.schedule ? ["Checked by its timetable."] : []),
    ...(rest.tellFailures ? ["Its own rule for failed checks."] : []),
    ...(Array.isArray(rest.channels) ? [`Told by ${rest.channels.join(", ")}.`] : []),
  ];
}
