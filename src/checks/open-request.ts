import type { CaptureRequest } from "#capture/capture-page.ts";
import { fillDates } from "#contract/fill-dates.ts";
import type { PageRequest } from "#contract/job.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import { headersOf } from "./inherit.ts";

export function openPageRequest(
  secrets: SecretBox,
  job: Pick<JobRow, "id" | "request_sealed">,
): PageRequest | null {
  return job.request_sealed ? JSON.parse(secrets.open(job.request_sealed, `job-request:${job.id}`)) : null;
}

type Requested = Pick<
  JobRow,
  | "id"
  | "url"
  | "group_id"
  | "headers_sealed"
  | "request_sealed"
  | "timetable"
  | "group_headers_sealed"
  | "group_timetable"
>;

const types = { form: "application/x-www-form-urlencoded", json: "application/json" } as const;

/** How a job's page is asked for at a moment: its address and body with their dates, and who asks. */
export function openRequest(
  secrets: SecretBox,
  job: Requested,
  now: Date,
): Pick<CaptureRequest, "url" | "headers" | "ask"> {
  const zone = (job.timetable ?? job.group_timetable)?.zone;
  const headers = headersOf(secrets, job).map(({ name, value }): [string, string] => [name, value]);
  const wanted = openPageRequest(secrets, job);
  const url = fillDates(job.url, now, zone);
  if (!wanted) return { url, headers };
  const { method, as, body, userAgent, language } = wanted;
  const who: [string, string][] = [
    ...(userAgent ? [["user-agent", userAgent] as [string, string]] : []),
    ...(language ? [["accept-language", language] as [string, string]] : []),
  ];
  const sends = method !== "GET";
  const ask = {
    method,
    headers: who,
    ...(sends ? { body: fillDates(body, now, zone), contentType: types[as] } : {}),
  };
  return { url, headers, ask };
}
