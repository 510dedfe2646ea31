import { createApiKey, readApiKeys, revokeApiKey } from "#accounts/api-keys.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const keyHandlers: Handlers<"listApiKeys" | "createApiKey" | "revokeApiKey"> = {
  listApiKeys: (app, { actor }) => readApiKeys(app.accounts, actor),
  async createApiKey(app, { actor, body }) {
    const made = await createApiKey(app.accounts, actor, body);
    return {
      code: "KEY_CREATED",
      message: `The key "${body.name}" was created. Copy it now: it won’t be shown again.`,
      ...made,
    };
  },
  async revokeApiKey(app, { actor, params }) {
    const name = await revokeApiKey(app.accounts, actor, params.keyId);
    return { code: "KEY_REVOKED", message: `The key "${name}" no longer works.` };
  },
};
