import { z } from "zod";
import { Outcome } from "./account.ts";
import { PageSteps, StepSecrets } from "./page-steps.ts";
import { SessionProof } from "./session-proof.ts";
import { url, visibleText } from "./setting-shapes.ts";

export const maxIdentities = 20;
const maxOrigins = 10;

const Origin = z
  .string()
  .trim()
  .max(300, "A site’s address is too long.")
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "Start a site with http:// or https://.",
  )
  .transform((text) => new URL(text).origin);

export const Origins = z
  .array(Origin)
  .max(maxOrigins, `At most ${maxOrigins} sites.`)
  .default([])
  .transform((list) => [...new Set(list)]);

const name = visibleText("Name", 60);
const proof = SessionProof;
const fields = {
  url: url
    .trim()
    .regex(/^https?:\/\//i, "Start with http:// or https://.")
    .describe(
      "The page where signing in begins; for an identity without steps, a page that shows whether you’re signed in",
    ),
  origins: Origins.describe(
    "The sites of the identity, as https://example.com: secrets are only typed there, and only their cookies and storage are kept. The site of the URL is always one of them",
  ),
  steps: PageSteps.default([]).describe("How to sign in, in the format of the DevTools Recorder"),
  secrets: StepSecrets.default([]).describe("What the steps type; masked values stay as they are"),
  cookies: z
    .string()
    .max(200_000, "The cookies are larger than 200 kB.")
    .nullish()
    .describe(
      "Cookies of a browser that is signed in: a cookies.txt file, a storageState of Playwright, or a Cookie header. Left out, those that are stored stay",
    ),
  liveView: z
    .uuid()
    .nullish()
    .describe("A live view in which somebody signed in by hand: its session is stored, like cookies"),
};

export const NewIdentity = z.strictObject({ name, proof, ...fields });
export type NewIdentity = z.infer<typeof NewIdentity>;

/** An identity that isn't saved, for a trial. Without a proof, proofs are proposed. */
export const IdentityTrial = z.strictObject({
  name: name.optional(),
  proof: proof.nullish().describe("Null to look for what could be the proof"),
  ...fields,
  identityId: z
    .uuid()
    .optional()
    .describe("The identity whose secrets and cookies are used where they’re left out"),
});
export type IdentityTrial = z.infer<typeof IdentityTrial>;

const identityStates = ["new", "signed-in", "signed-out"] as const;

export const Identity = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  origins: z.array(z.string()),
  steps: PageSteps,
  secrets: StepSecrets.describe("Values are masked"),
  proof: SessionProof,
  hasCookies: z.boolean().describe("Whether the session of a browser is stored"),
  savedAt: z.iso.datetime().nullable().describe("When the session was stored"),
  state: z
    .enum(identityStates)
    .describe("new: the next check finds out; signed-out: its jobs wait until you sign in again"),
  problem: z.string().nullable().describe("Why it is signed out, as a sentence"),
  signedInAt: z.iso.datetime().nullable().describe("When the steps signed in last"),
  signedOutAt: z.iso.datetime().nullable(),
  jobs: z.int().describe("How many of the account’s jobs name it"),
  groups: z.int().describe("How many of the account’s groups name it"),
});
export type Identity = z.infer<typeof Identity>;

export const Identities = z.object({ identities: z.array(Identity) });
export const IdentityReply = Outcome.extend({ identity: Identity });
export const IdentityParams = z.object({ identityId: z.uuid() });

/** The setting of a job: an identity, or none although the group has one. */
export const ChosenIdentity = z
  .union([z.uuid(), z.literal("none")], "Choose an identity.")
  .describe("The id of an identity, or none");
export type ChosenIdentity = z.infer<typeof ChosenIdentity>;
export const noIdentity = "none";

/** Whether a setting names an identity. */
export const isIdentity = (chosen: ChosenIdentity | null | undefined): chosen is string =>
  Boolean(chosen) && chosen !== noIdentity;
