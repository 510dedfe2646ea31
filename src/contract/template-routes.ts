import { Outcome } from "./account.ts";
import { ChannelParams } from "./delivery.ts";
import type { Route } from "./route.ts";
import { MessagePreview, Template, Templates } from "./template.ts";

/** Rows of the route table: in which words a channel tells. */
export const templateRoutes = {
  templates: {
    method: "GET",
    path: "/api/me/templates",
    access: "account",
    scope: "everything",
    summary: "In which words each channel tells",
    reply: Templates,
  },
  putTemplate: {
    method: "PUT",
    path: "/api/me/channels/:channel/template",
    access: "account",
    summary: "Tell in words of one's own; what is empty is told in ours",
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
    summary: "The newest change as a channel would tell it; nothing is kept or sent",
    params: ChannelParams,
    body: Template,
    reply: MessagePreview,
  },
} as const satisfies Record<string, Route>;
