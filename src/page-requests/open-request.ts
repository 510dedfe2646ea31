import type { CaptureRequest } from "#capture/capture-page.ts";
import { takesBody } from "#contract/request-method.ts";
import { headersOf, inherit } from "#group-defaults/inherit.ts";
import { fillDates } from "#message-templates/fill-dates.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import { readSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";

type RequestedJob = Pick<
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

const contentTypes = { form: "application/x-www-form-urlencoded", json: "application/json" } as const;

/** The request for a job's page at a moment: URL and body with their dates filled in, headers, user agent, language. */
export function openRequest(
  secrets: SecretBox,
  job: RequestedJob,
  now: Date,
): Pick<CaptureRequest, "url" | "headers" | "ask"> {
  const zone = inherit(job, "schedule")?.zone;
  const headers = headersOf(secrets, job).map(({ name, value }): [string, string] => [name, value]);
  const pageRequest = readSetting(secrets, job, "request");
  const url = fillDates(job.url, now, zone);
  if (!pageRequest) return { url, headers };
  const { method, as, body, userAgent, language } = pageRequest;
  const identityHeaders: [string, string][] = [
    ...(userAgent ? [["user-agent", userAgent] as [string, string]] : []),
    ...(language ? [["accept-language", language] as [string, string]] : []),
  ];
  const hasBody = takesBody(method) && (body !== "" || method === "POST" || method === "PUT");
  const ask = {
    method,
    headers: identityHeaders,
    ...(hasBody ? { body: fillDates(body, now, zone), contentType: contentTypes[as] } : {}),
  };
  return { url, headers, ask };
}
