import { STATUS_CODES } from "node:http";
import { watchesStatus } from "#alert-conditions/conditions.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { openView, type StoredView } from "./stored-capture.ts";

/**
 * What an HTTP status means for a capture. "page": its content is compared and stored. "failure": the site is
 * unavailable, so the check failed. "status": only the status is news, not the content.
 */
export type AnswerKind = "page" | "failure" | "status";

/**
 * An error page says nothing about the content that a job watches, so it never replaces a good page. It is news at once
 * if the job is about that error: its conditions ask for it, or the page itself had that status before.
 * `baseline` is the status of the capture that it would be compared with.
 */
export function judgeAnswer(
  status: number,
  baseline: number | null,
  memory: NoiseMemory | null,
  alertIf: AlertIf | null,
): AnswerKind {
  if (status < 400) return "page";
  const isOwn = !isTemporary(status) && openMemory(memory).ownErrors.includes(status);
  const isAbout = isOwn || watchesStatus(alertIf, status);
  if (baseline !== null && baseline < 400) return isAbout ? "status" : "failure";
  return isTemporary(status) && !isAbout ? "failure" : "page";
}

/** Whether a status is about the moment of the request and not about the page: a time-out, too many requests, a 5xx. */
const isTemporary = (status: number) => status >= 500 || [408, 425, 429].includes(status);

/** Remembers that the capture counts as the page: its error status is the page's own, and an alerted error is over. */
export function rememberPage(stored: NoiseMemory | null, status: number): NoiseMemory | null {
  const memory = openMemory(stored);
  const isOwn = status >= 400 && !memory.ownErrors.includes(status);
  if (!isOwn && memory.toldStatus === null) return stored;
  const ownErrors = isOwn ? [...memory.ownErrors, status] : memory.ownErrors;
  return { ...memory, ownErrors, toldStatus: null };
}

/** Remembers an error that was alerted, or would have been: it isn't alerted again while it lasts. */
export function rememberError(memory: NoiseMemory | null, status: number): NoiseMemory {
  return { ...openMemory(memory), toldStatus: status };
}

/** The baseline with the error status that was alerted since: the page's content, and the status known last. */
export function withAlertedStatus<V extends View | StoredView>(
  view: V,
  memory: NoiseMemory | null,
): V | View {
  const { toldStatus } = openMemory(memory);
  if (toldStatus === null) return view;
  const opened = openView(view);
  return { ...opened, snapshot: { ...opened.snapshot, status: toldStatus } };
}

export function describeStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `The server answered ${status}${name ? ` ${name}` : ""}.`;
}
