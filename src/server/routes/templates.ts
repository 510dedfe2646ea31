import { keepTemplate, previewTemplate, readTemplates } from "#alerts/templates.ts";
import { channels } from "#contract/channels.ts";
import type { Handlers } from "../register-routes.ts";

export const templateHandlers: Handlers<"templates" | "putTemplate" | "previewTemplate"> = {
  templates: async (app, { actor }) => ({ templates: await readTemplates(app.alerts, actor) }),
  async putTemplate(app, { actor, params: { channel }, body }) {
    await keepTemplate(app.alerts, actor, channel, body);
    const isOwn = body.title !== "" || body.text.trim() !== "";
    const whose = isOwn ? "your words" : "our words";
    return { code: "TEMPLATE_UPDATED", message: `${channels[channel].name} tells in ${whose} from now on.` };
  },
  previewTemplate: (app, { actor, params: { channel }, body }) =>
    previewTemplate(app.alerts, actor, channel, body),
};
