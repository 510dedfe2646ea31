import { previewTemplate, readTemplates, saveTemplate } from "#channel-settings/message-templates.ts";
import { channels } from "#channels/channel-list.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const templateHandlers: Handlers<"templates" | "putTemplate" | "previewTemplate"> = {
  templates: async (app, { actor }) => ({ templates: await readTemplates(app.alerts, actor) }),
  async putTemplate(app, { actor, params: { channel }, body }) {
    await saveTemplate(app.alerts, actor, channel, body);
    const isOwn = body.title !== "" || body.text.trim() !== "";
    const whose = isOwn ? "your text" : "the default text";
    return { code: "TEMPLATE_UPDATED", message: `${channels[channel].name} uses ${whose} from now on.` };
  },
  previewTemplate: (app, { actor, params: { channel }, body }) =>
    previewTemplate(app.alerts, actor, channel, body),
};
