import type { ReplyOf } from "#web/api/call.ts";

export type PageProxy = ReplyOf<"GET /api/proxies">["proxies"][number];
