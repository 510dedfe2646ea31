import type { BulkActionName } from "#contract/bulk-action.ts";
import { undoMinutes } from "#contract/bulk-action.ts";
import { applyBulkAction, listBulkActions, undoBulkAction } from "#jobs/bulk-actions.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

const doneWords: Record<BulkActionName, string> = {
  run: "checked now",
  pause: "paused",
  activate: "activated",
  move: "moved",
  frequency: "changed",
  ignore: "changed",
  delete: "deleted",
};
const countOf = (count: number) => `${count} ${count === 1 ? "job" : "jobs"}`;

export const bulkHandlers: Handlers<"applyBulkAction" | "listBulkActions" | "undoBulkAction"> = {
  async applyBulkAction(app, { actor, body }) {
    const result = await applyBulkAction(app.jobs, actor, body);
    const undo = result.undo ? ` You can undo this for ${undoMinutes} minutes.` : "";
    return {
      code: "BULK_ACTION_DONE",
      message: `${countOf(result.done.length)} ${doneWords[body.action]}.${describe(result.problems)}${undo}`,
      ...result,
    };
  },
  listBulkActions: (app, { actor }) => listBulkActions(app.jobs, actor),
  async undoBulkAction(app, { actor, params }) {
    const result = await undoBulkAction(app.jobs, actor, params.actionId);
    const message = `Undone for ${countOf(result.done.length)}.${describe(result.problems)}`;
    return { code: "BULK_ACTION_UNDONE", message, ...result };
  },
};

function describe([first, ...others]: { name: string | null; message: string }[]): string {
  if (!first) return "";
  const rest = others.length > 0 ? ` ${countOf(others.length)} more stayed as before, too.` : "";
  return ` ${first.name ?? "One job"} stayed as before: ${first.message}${rest}`;
}
