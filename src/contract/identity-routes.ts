import { Outcome } from "./account.ts";
import { Identities, IdentityParams, IdentityReply, IdentityTrial, NewIdentity } from "./identity.ts";
import { PreviewParams } from "./preview.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: who jobs are signed in as. */
export const identityRoutes = {
  listIdentities: {
    method: "GET",
    path: "/api/identities",
    access: "account",
    summary: "List the identities that the account's jobs can be signed in as, with their state",
    reply: Identities,
  },
  createIdentity: {
    method: "POST",
    path: "/api/identities",
    access: "account",
    summary: "Add an identity: how to sign in to a site, and what proves it",
    body: NewIdentity,
    reply: IdentityReply,
  },
  updateIdentity: {
    method: "PUT",
    path: "/api/identities/:identityId",
    access: "account",
    summary: "Change an identity; its waiting jobs are checked again",
    params: IdentityParams,
    body: NewIdentity,
    reply: IdentityReply,
  },
  deleteIdentity: {
    method: "DELETE",
    path: "/api/identities/:identityId",
    access: "account",
    summary: "Delete an identity that no job and no group uses",
    params: IdentityParams,
    reply: Outcome,
  },
  signInIdentity: {
    method: "POST",
    path: "/api/identities/:identityId/sign-in",
    access: "account",
    scope: "write",
    status: 202,
    summary: "Sign in and keep the session; the preview shows each step",
    params: IdentityParams,
    reply: Outcome.extend(PreviewParams.shape),
  },
  tryIdentity: {
    method: "POST",
    path: "/api/identities/try",
    access: "account",
    scope: "write",
    status: 202,
    summary: "Sign in as an identity that isn't saved; without a proof, the preview proposes proofs",
    body: IdentityTrial,
    reply: Outcome.extend(PreviewParams.shape),
  },
} as const satisfies Record<string, Route>;
