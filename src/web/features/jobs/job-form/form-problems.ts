import { CallError } from "#web/api/call.ts";
import { fieldAt, type Problems, rowAt } from "./fields.ts";

/** Assigns the server's error to its field; undefined if it concerns no field. */
export function refusedField(error: Error | null): Problems | undefined {
  if (!(error instanceof CallError) || !error.field) return undefined;
  const name = fieldAt(error.field);
  const row = rowAt(error.field);
  return name && { [name]: error.message, ...(row === undefined ? {} : { rows: { [name]: row } }) };
}

/** Focuses the first problem and scrolls to it, since the form is longer than the screen. */
export function showProblem(form: HTMLElement | null): void {
  const first = form?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]");
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });
}
