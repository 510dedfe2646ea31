import { STATUS_CODES } from "node:http";
import type { View } from "#detection/apply-rules.ts";
import type { AlertIf } from "#detection/condition.ts";
import { watchesStatus } from "#detection/conditions.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import { type KeptView, openView } from "./kept-view.ts";

/**
 * What a status makes of a capture. "page": what it shows is compared and kept. "failure": the site is away, so that the
 * check failed. "status": only the status is news, what the page shows is not.
 */
export type AnswerKind = "page" | "failure" | "status";

/**
 * An error page says nothing about the content that a job watches, so it never takes the place of a good page. It is
 * news at once where the job is about that error: its conditions ask for it, or it was the page's own answer before.
 * `baseline` is the status of the capture that it would be compared with.
 */
export function judgeAnswer(
  status: number,
  baseline: number | null,
  memory: NoiseMemory | null,
  alertIf: AlertIf | null,
): AnswerKind {
  if (status < 400) return "page";
  const isOwn = status < 500 && openMemory(memory).ownErrors.includes(status);
  const isAbout = isOwn || watchesStatus(alertIf, status);
  if (baseline !== null && baseline < 400) return isAbout ? "status" : "failure";
  return status >= 500 && !isAbout ? "failure" : "page";
}

/** A capture that was taken for the page: an error that it came with is its own, and none is told of since. */
export function rememberPage(kept: NoiseMemory | null, status: number): NoiseMemory | null {
  const memory = openMemory(kept);
  const isOwn = status >= 400 && !memory.ownErrors.includes(status);
  if (!isOwn && memory.toldStatus === null) return kept;
  const ownErrors = isOwn ? [...memory.ownErrors, status] : memory.ownErrors;
  return { ...memory, ownErrors, toldStatus: null };
}

/** An error that was told of, or would have been: while it lasts it is no news. */
export function rememberError(kept: NoiseMemory | null, status: number): NoiseMemory {
  return { ...openMemory(kept), toldStatus: status };
}

/** The baseline under the error status that was told of since: its content, and the answer known last. */
export function asTold<V extends View | KeptView>(view: V, memory: NoiseMemory | null): V | View {
  const { toldStatus } = openMemory(memory);
  if (toldStatus === null) return view;
  const opened = openView(view);
  return { ...opened, snapshot: { ...opened.snapshot, status: toldStatus } };
}

export function sayStatus(status: number): string {
  const name = STATUS_CODES[status];
  return `The server answered ${status}${name ? ` ${name}` : ""}.`;
}
