import { Outcome } from "./account.ts";
import { ApiKeyMade, ApiKeyParams, ApiKeys, NewApiKey } from "./api-key.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: the keys that programs call by. */
export const keyRoutes = {
  listApiKeys: {
    method: "GET",
    path: "/api/keys",
    access: "account",
    scope: "everything",
    summary: "The account's API keys, newest first",
    reply: ApiKeys,
  },
  createApiKey: {
    method: "POST",
    path: "/api/keys",
    access: "account",
    // A key that makes keys could outlive its own end.
    scope: "session",
    summary: "Make an API key; it is shown this once",
    body: NewApiKey,
    reply: ApiKeyMade,
  },
  revokeApiKey: {
    method: "DELETE",
    path: "/api/keys/:keyId",
    access: "account",
    summary: "Revoke an API key at once",
    params: ApiKeyParams,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
