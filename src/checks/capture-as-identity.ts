import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import { captureSignedIn } from "#identities/capture-signed-in.ts";
import { holdIdentity } from "#identities/hold-identity.ts";
import { identityOfJob } from "#identities/identity-of-job.ts";
import type { AnnounceSignedOut } from "#identities/record-session.ts";
import type { JobToCheck } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { notify } from "./notify.ts";

type Capture = (request: CaptureRequest) => Promise<CaptureResult>;

/** How a job's page is captured as its identity, until it is released. */
export type Session = {
  capture: (request: CaptureRequest, capture: Capture) => Promise<CaptureResult>;
  release: () => Promise<void>;
};

const withoutSession: Session = {
  capture: (request, capture) => capture(request),
  release: async () => undefined,
};

const refused = (message: string): Session => ({
  ...withoutSession,
  capture: async () => ({
    ok: false,
    snapshot: null,
    failure: { kind: "signed-out", message, wall: "login" },
  }),
});

/**
 * Takes the session of a job's identity. "busy": another check uses it. "waits": it is signed out, and the job waits
 * until its user signs in again or asks for a check.
 */
export async function openSession(
  deps: Pick<Deps, "db" | "secrets" | "queue">,
  job: JobToCheck,
  isConfirmation: boolean,
): Promise<Session | "busy" | "waits"> {
  const identity = job.settings.site ? null : await identityOfJob(deps, job);
  if (!identity) return withoutSession;
  if (identity.problem !== undefined) return refused(identity.problem);
  if (identity.row.state === "signed-out" && !job.asked)
    return isConfirmation ? refused(`“${identity.row.name}” is signed out.`) : "waits";
  const held = await holdIdentity(deps, job.account_id, identity.row.id);
  if (!held) return "busy";
  const known = {
    wasProven: (job.evidence as Evidence | null)?.identity === identity.row.id,
    lacksProof: job.trouble?.wall === "login",
  };
  return {
    capture: (request, capture) => captureSignedIn({ ...deps, capture, announce }, held.row, request, known),
    release: held.release,
  };

  async function announce(...[tx, row]: Parameters<AnnounceSignedOut>) {
    await notify(deps, tx, {
      account_id: row.account_id,
      kind: "signed-out",
      severity: noticeSeverity.signedOut,
      title: row.name,
      message: `Signed out: ${row.problem} Its jobs wait until you sign in again, under Identities in your profile.`,
      job_id: null,
      execution_id: null,
    });
  }
}
