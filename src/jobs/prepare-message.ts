import { AppError } from "#contract/errors.ts";
import type { JobMessage } from "#contract/template.ts";
import { refuseMessage } from "#message-templates/message-template.ts";

/** Refuses a message that can't be filled; null for one without any text. */
export function prepareMessage(message: JobMessage | null): JobMessage | null {
  const refusal = message && refuseMessage(message);
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: `message.${refusal.field}` });
  return message?.title.trim() === "" && message.text.trim() === "" ? null : message;
}
