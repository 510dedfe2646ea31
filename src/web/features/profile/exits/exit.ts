import type { ReplyOf } from "#web/api/call.ts";

export type Exit = ReplyOf<"GET /api/exits">["exits"][number];
