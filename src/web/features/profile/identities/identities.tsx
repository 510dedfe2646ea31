import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { planById } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { openLiveView } from "#web/api/open-live-view.ts";
import { useTakenPreview } from "#web/api/use-taken-preview.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { LiveViewDialog } from "#web/ui/live-view/live-view-dialog.tsx";
import { StepRuns } from "#web/ui/page-steps/step-runs.tsx";
import { PlanNote } from "#web/ui/plan-note.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import type { Identity } from "./identity.ts";
import { IdentityDialog } from "./identity-dialog.tsx";

const key = ["identities"];

/** Adds, lists, signs in, changes and deletes the identities that pages are captured as. */
export function Identities() {
  const client = useQueryClient();
  const { data: me } = useMe();
  const [edited, setEdited] = useState<Identity | "new">();
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/identities", undefined, { signal }),
  });
  const isIncluded = me ? planById(me.planId).identities : false;
  return (
    <Card
      title="Identities"
      aside={
        list.data &&
        isIncluded && (
          <Button size="sm" icon="plus" onClick={() => setEdited("new")}>
            New identity
          </Button>
        )
      }
      note="Who your jobs are signed in as, to watch what is behind a sign-in. Choose one in a job’s or group’s settings."
    >
      {list.isPending && <Skeleton className="m-4 h-14" />}
      {list.isError && (
        <Failed
          title="We couldn’t load the identities"
          action="Try again"
          onAction={() => void list.refetch()}
        >
          {list.error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {list.data && !isIncluded && (
        <div className="p-4">
          <PlanNote what="Capturing pages behind a sign-in" includes={(plan) => plan.identities} />
        </div>
      )}
      {list.data?.identities.length === 0 && isIncluded && (
        <Empty icon="user" title="No identities yet">
          An identity knows how to sign in to a site and what proves it. Many jobs can share one, and it signs
          in again only when its session has ended.
        </Empty>
      )}
      {list.data && list.data.identities.length > 0 && (
        <ul>
          {list.data.identities.map((identity) => (
            <Row key={identity.id} identity={identity} onEdit={() => setEdited(identity)} />
          ))}
        </ul>
      )}
      {edited && (
        <IdentityDialog
          identity={edited === "new" ? null : edited}
          onSaved={() => void client.invalidateQueries({ queryKey: key })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

function Row({ identity, onEdit }: { identity: Identity; onEdit: () => void }) {
  const client = useQueryClient();
  const { id, name, url } = identity;
  const params = { identityId: id };
  const [isSigningIn, setSigningIn] = useState(false);
  const [previewId, setPreviewId] = useState<string>();
  const { data: preview, error } = useTakenPreview(previewId);
  const signIn = useMutation({
    mutationFn: () => call("POST /api/identities/:identityId/sign-in", { params }),
    onSuccess: (reply) => setPreviewId(reply.previewId),
    onError: (problem) => toast.error(problem.message || "We couldn’t sign in."),
  });
  const remove = useMutation({
    mutationFn: () => call("DELETE /api/identities/:identityId", { params }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (problem) => toast.error(problem.message || "We couldn’t delete the identity."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  const outcome = preview?.state;
  useEffect(() => {
    if (outcome === "ready" || outcome === "failed") void client.invalidateQueries({ queryKey: key });
  }, [outcome, client]);
  const isBusy =
    signIn.isPending || (previewId !== undefined && !error && (!preview || outcome === "queued"));
  return (
    <li className="grid grid-cols-1 gap-3 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <p className="font-medium wrap-anywhere">
            {name} <span className="font-mono text-sm font-normal wrap-anywhere text-muted">{url}</span>
          </p>
          <State identity={identity} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={isBusy} onClick={() => signIn.mutate()}>
            {identity.steps.length > 0 ? "Sign in" : "Test"}
            <span className="sr-only"> as {name}</span>
          </Button>
          <Button size="sm" onClick={() => setSigningIn(true)}>
            Sign in by hand<span className="sr-only"> as {name}</span>
          </Button>
          <Button size="sm" onClick={onEdit}>
            Edit<span className="sr-only"> the identity {name}</span>
          </Button>
          <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete<span className="sr-only"> the identity {name}</span>
          </Button>
        </div>
      </div>
      <div aria-live="polite" className="grid min-w-0 gap-2 empty:hidden">
        {outcome === "ready" && <p className="text-sm">Signed in: the page shows the proof.</p>}
        {outcome === "failed" && <p className="text-sm text-removed">{preview?.error}</p>}
        {error && <p className="text-sm text-removed">{error.message}</p>}
        {preview && preview.steps.length > 0 && outcome !== "queued" && (
          <StepRuns
            runs={preview.steps}
            imageOf={(step) => `/api/previews/${preview.id}/steps/${step}/image`}
          />
        )}
      </div>
      {isSigningIn && (
        <LiveViewDialog
          title={`Sign in as ${name}`}
          description="A browser of ours shows the sign-in page. Sign in, for example with a code from an email, go to a page that shows the proof, and keep the session."
          connect={(handlers) => openLiveView({ url, identityId: id, signsIn: true }, handlers)}
          onKept={(_, message) => {
            toast.success(message);
            void client.invalidateQueries({ queryKey: key });
          }}
          onClose={() => setSigningIn(false)}
        />
      )}
    </li>
  );
}

function State({ identity }: { identity: Identity }) {
  const { state, problem, signedOutAt, signedInAt, savedAt, jobs, groups } = identity;
  const users = [jobs > 0 && countOf(jobs, "job"), groups > 0 && countOf(groups, "group")].filter(Boolean);
  const used = `used by ${users.join(" and ") || "no job"}`;
  return (
    <>
      {state === "signed-out" && (
        <p className="text-sm text-removed">
          Signed out: {problem}
          {signedOutAt && (
            <>
              {" · "}
              <Time at={signedOutAt} />
            </>
          )}{" "}
          Its jobs wait until you sign in again.
        </p>
      )}
      <p className="text-sm text-muted">
        {state === "signed-in" && savedAt ? (
          <>
            signed in, last proven <Time at={savedAt} />
          </>
        ) : (
          state === "new" && "the next check finds out whether it is signed in"
        )}
        {signedInAt && (
          <>
            {state !== "signed-out" && " · "}
            last sign-in <Time at={signedInAt} />
          </>
        )}{" "}
        · {used}
      </p>
    </>
  );
}
