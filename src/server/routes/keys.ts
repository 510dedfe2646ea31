import { createApiKey, readApiKeys, revokeApiKey } from "#accounts/api-keys.ts";
import type { Handlers } from "../register-routes.ts";

export const keyHandlers: Handlers<"listApiKeys" | "createApiKey" | "revokeApiKey"> = {
  listApiKeys: (app, { actor }) => readApiKeys(app.accounts, actor),
  async createApiKey(app, { actor, body }) {
    const made = await createApiKey(app.accounts, actor, body);
    return {
      code: "KEY_CREATED",
      message: `The key "${body.name}" is made. It is shown this once.`,
      ...made,
    };
  },
  async revokeApiKey(app, { actor, params }) {
    const name = await revokeApiKey(app.accounts, actor, params.keyId);
    return { code: "KEY_REVOKED", message: `The key "${name}" does not work any more.` };
  },
};
