import { deleteSavedView, readSavedViews, saveView } from "#jobs/saved-views.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const savedViewHandlers: Handlers<"savedViews" | "putSavedView" | "deleteSavedView"> = {
  savedViews: async (app, { actor }) => ({ views: await readSavedViews(app, actor) }),
  async putSavedView(app, { actor, body }) {
    await saveView(app, actor, body);
    return { code: "VIEW_SAVED", message: `The view “${body.name}” is saved.` };
  },
  async deleteSavedView(app, { actor, params }) {
    await deleteSavedView(app, actor, params.viewId);
    return { code: "VIEW_DELETED", message: "The view is deleted." };
  },
};
