import { createExit, deleteExit, readExits, updateExit } from "#exits/manage-exits.ts";
import { testExit } from "#exits/test-exit.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const exitHandlers: Handlers<"listExits" | "createExit" | "updateExit" | "deleteExit" | "testExit"> = {
  listExits: async (app, { actor }) => ({
    exits: await readExits(app.exits, actor),
    mayLookUpNames: app.exits.mayLookUpNames,
    hasEchoUrl: app.exits.echoUrl !== null,
  }),
  async createExit(app, { actor, body }) {
    const exit = await createExit(app.exits, actor, body);
    return { code: "EXIT_CREATED", message: `The exit “${exit.name}” is ready to be chosen.`, exit };
  },
  async updateExit(app, { actor, params, body }) {
    const exit = await updateExit(app.exits, actor, params.exitId, body);
    return { code: "EXIT_UPDATED", message: `The exit “${exit.name}” is saved.`, exit };
  },
  async deleteExit(app, { actor, params }) {
    const name = await deleteExit(app.exits, actor, params.exitId);
    return { code: "EXIT_DELETED", message: `The exit “${name}” is deleted.` };
  },
  async testExit(app, { actor, params, request }) {
    const release = app.trying.take(actor.accountId);
    // An exit may never answer, and other callers of this address must not wait for it.
    request.slot?.leave();
    try {
      return { code: "EXIT_TESTED", ...(await testExit(app.exits, actor, params.exitId)) };
    } finally {
      release();
    }
  },
};
