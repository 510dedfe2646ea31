import { Outcome } from "./account.ts";
import { ApiKeyMade, ApiKeyParams, ApiKeys, NewApiKey } from "./api-key.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: API keys. */
export const keyRoutes = {
  listApiKeys: {
    method: "GET",
    path: "/api/keys",
    access: "account",
    scope: "everything",
    summary: "List the account's API keys, newest first",
    reply: ApiKeys,
  },
  createApiKey: {
    method: "POST",
    path: "/api/keys",
    access: "account",
    // A key that could create keys would outlive its own expiry.
    scope: "session",
    summary: "Create an API key, which is shown only once",
    body: NewApiKey,
    reply: ApiKeyMade,
  },
  revokeApiKey: {
    method: "DELETE",
    path: "/api/keys/:keyId",
    access: "account",
    summary: "Revoke an API key immediately",
    params: ApiKeyParams,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
