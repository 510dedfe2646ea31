import { readNotifications } from "#alerts/read-notifications.ts";
import { markNotificationsRead } from "#storage/notifications.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const eventHandlers: Handlers<"notifications" | "markRead" | "events"> = {
  notifications: (app, { actor, query }) => readNotifications(app.jobs, actor, query),
  async markRead(app, { actor, body }) {
    await markNotificationsRead(app.db, actor.accountId, body?.ids);
    return { code: "UPDATE_SUCCESS", message: "Marked as read." };
  },
  async events(app, { actor, request, reply }) {
    const last = request.headers["last-event-id"];
    const after = typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : undefined;
    const stream = app.events.open(actor, after);
    request.raw.on("close", () => stream.end());
    return reply
      .type("text/event-stream")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no")
      .send(stream);
  },
};
