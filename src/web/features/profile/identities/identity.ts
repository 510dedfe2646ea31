import type { ReplyOf } from "#web/api/call.ts";

export type Identity = ReplyOf<"GET /api/identities">["identities"][number];
