import { Outcome } from "./account.ts";
import { ChannelParams } from "./delivery.ts";
import type { Route } from "./route.ts";
import { MessagePreview, PreviewedTemplate, Template, Templates } from "./template.ts";

/** Rows of the route table: message templates of channels. */
export const templateRoutes = {
  templates: {
    method: "GET",
    path: "/api/me/templates",
    access: "account",
    scope: "everything",
    summary: "Get the message templates of the channels",
    reply: Templates,
  },
  putTemplate: {
    method: "PUT",
    path: "/api/me/channels/:channel/template",
    access: "account",
    summary: "Set a channel's message template; empty fields use the default text",
    params: ChannelParams,
    body: Template,
    reply: Outcome,
  },
  previewTemplate: {
    method: "POST",
    path: "/api/me/channels/:channel/template/preview",
    access: "account",
    scope: "write",
    demo: true,
    summary:
      "Preview a message template with the newest change of the account or of a job; nothing is saved or sent",
    params: ChannelParams,
    body: PreviewedTemplate,
    reply: MessagePreview,
  },
} as const satisfies Record<string, Route>;
