import {
  createIdentity,
  deleteIdentity,
  readIdentities,
  updateIdentity,
} from "#identities/manage-identities.ts";
import { askSignIn, askTrial } from "#identities/try-identity.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

const withNotes = (message: string, notes: string[]) => [message, ...notes].join(" ");

export const identityHandlers: Handlers<
  "listIdentities" | "createIdentity" | "updateIdentity" | "deleteIdentity" | "signInIdentity" | "tryIdentity"
> = {
  listIdentities: async (app, { actor }) => ({ identities: await readIdentities(app.jobs, actor) }),
  async createIdentity(app, { actor, body }) {
    const { identity, notes } = await createIdentity(app.jobs, actor, body);
    const message = withNotes(`The identity “${identity.name}” is ready to be chosen.`, notes);
    return { code: "IDENTITY_CREATED", message, identity };
  },
  async updateIdentity(app, { actor, params, body }) {
    const { identity, notes } = await updateIdentity(app.jobs, actor, params.identityId, body);
    const message = withNotes(`The identity “${identity.name}” is saved.`, notes);
    return { code: "IDENTITY_UPDATED", message, identity };
  },
  async deleteIdentity(app, { actor, params }) {
    const name = await deleteIdentity(app.jobs, actor, params.identityId);
    return { code: "IDENTITY_DELETED", message: `The identity “${name}” is deleted.` };
  },
  async signInIdentity(app, { actor, params }) {
    const previewId = await askSignIn(app.jobs, actor, params.identityId);
    return { code: "SIGN_IN_BEGUN", message: "Signing in has begun.", previewId };
  },
  async tryIdentity(app, { actor, body }) {
    const previewId = await askTrial(app.jobs, actor, body);
    return { code: "SIGN_IN_BEGUN", message: "Signing in has begun.", previewId };
  },
};
