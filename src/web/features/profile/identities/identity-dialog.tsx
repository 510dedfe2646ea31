import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import type { PageStep } from "#contract/page-steps.ts";
import { CallError, call } from "#web/api/call.ts";
import { openLiveView } from "#web/api/open-live-view.ts";
import { readRecording } from "#web/api/read-recording.ts";
import { useTakenPreview } from "#web/api/use-taken-preview.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { FieldError } from "#web/ui/field-error.tsx";
import { PageStepList } from "#web/ui/page-steps/page-step-list.tsx";
import { StepRuns } from "#web/ui/page-steps/step-runs.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import type { Identity } from "./identity.ts";

type IdentityDialogProps = {
  /** Null for a new one. */
  identity: Identity | null;
  onSaved: () => void;
  onClose: () => void;
};

/** Asks for a site, the steps that sign in to it, and what proves it. */
export function IdentityDialog({ identity, onSaved, onClose }: IdentityDialogProps) {
  const [fields, setFields] = useState(fieldsOf(identity));
  const [problem, setProblem] = useState<Problem>();
  const put = (part: Partial<Fields>) => {
    setFields((last) => ({ ...last, ...part }));
    setProblem(undefined);
  };
  const { busy, submit } = useSubmit(async () => {
    const body = { ...bodyOf(fields), name: fields.name, proof: proofOf(fields) };
    try {
      const { message } = identity
        ? await call("PUT /api/identities/:identityId", { params: { identityId: identity.id }, body })
        : await call("POST /api/identities", { body });
      toast.success(message);
      onSaved();
      onClose();
    } catch (error) {
      setProblem(problemIn(error));
    }
  });
  const problemOf = (field: string) =>
    problem?.field === field ? { error: problem.message } : ({} as const);
  const named = [
    "name",
    "url",
    "origins",
    "steps",
    "secrets",
    "liveView",
    "cookies",
    "proof.text",
    "proof.selector",
  ];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={identity ? `Identity ${identity.name}` : "New identity"}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="identity" look="primary" busy={busy}>
            {identity ? "Save identity" : "Add identity"}
          </Button>
        </>
      }
    >
      <form id="identity" onSubmit={submit} noValidate className="mt-2 grid min-w-0 grid-cols-1 gap-5">
        <SiteFields fields={fields} put={put} problemOf={problemOf} />
        <fieldset className="grid min-w-0 grid-cols-1 gap-4">
          <legend className="mb-1.5 font-medium">How to sign in</legend>
          <p className="text-sm text-muted">
            Sign in with a live view: its steps sign in again whenever the session has ended. You can also
            paste a recording of Chrome’s DevTools, or add steps here. A one-time code is {"{{totp.NAME}}"},
            made of a secret.
          </p>
          <PageStepList
            name={fields.name}
            steps={fields.steps}
            secrets={fields.secrets}
            readRecording={readRecording}
            problems={{ steps: problemOf("steps").error, secrets: problemOf("secrets").error }}
            onChange={put}
            live={{
              title: "Sign in with a live view",
              description:
                "A browser of ours shows the sign-in page. Sign in as the steps should. If a code comes by email or SMS, keep only the session.",
              isReady: fields.url.trim() !== "",
              connect: (handlers) => openLiveView({ ...siteOf(fields), signsIn: true }, handlers),
              onKept: (liveView) => put({ liveView }),
              onProof: ({ text, selector }) => put({ proofText: text, proofSelector: selector }),
            }}
          />
          {fields.liveView && (
            <p role="status" className="text-sm">
              The session of the live view is kept when you save, within an hour.
            </p>
          )}
          <FieldError error={problemOf("liveView").error} />
          <TextArea
            label="Or cookies of a browser that is signed in"
            mono
            rows={3}
            placeholder={identity?.hasCookies ? "unchanged" : "session=8f14e45f…"}
            hint="A cookies.txt file, a storageState of Playwright, or a Cookie header. For passkeys, and for sites that let no browser of ours in: sign in with your own browser and paste its cookies. They can’t be read again."
            value={fields.cookies}
            {...problemOf("cookies")}
            onChange={(event) => put({ cookies: event.target.value })}
            spellCheck={false}
          />
        </fieldset>
        <Proof
          fields={fields}
          put={put}
          problemOf={problemOf}
          identityId={identity?.id}
          onProblem={setProblem}
        />
        {problem && !named.includes(problem.field) && (
          <p role="alert" className="text-sm text-removed">
            {problem.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type Problem = { field: string; message: string };
type Fields = ReturnType<typeof fieldsOf>;
type PartProps = {
  fields: Fields;
  put: (part: Partial<Fields>) => void;
  problemOf: (field: string) => { error?: string };
};

function SiteFields({ fields, put, problemOf }: PartProps) {
  return (
    <>
      <Field
        label="Name"
        placeholder="Shop, as a customer"
        value={fields.name}
        {...problemOf("name")}
        autoComplete="off"
        onChange={(event) => put({ name: event.target.value })}
      />
      <Field
        label="Sign-in page"
        mono
        inputMode="url"
        placeholder="https://shop.example.com/sign-in"
        hint="Where signing in begins. With cookies only: a page that shows whether you’re signed in."
        value={fields.url}
        {...problemOf("url")}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => put({ url: event.target.value })}
      />
      <TextArea
        label="Other sites that belong to it"
        mono
        rows={2}
        placeholder="https://login.example.com"
        hint="One per line. Secrets are typed on the identity’s sites only, and only their cookies are kept."
        value={fields.origins}
        {...problemOf("origins")}
        onChange={(event) => put({ origins: event.target.value })}
        spellCheck={false}
      />
    </>
  );
}

type ProofProps = PartProps & { identityId: string | undefined; onProblem: (problem: Problem) => void };

/** The proof of being signed in, and a trial that shows each step and proposes proofs. */
function Proof({ fields, put, problemOf, identityId, onProblem }: ProofProps) {
  const [previewId, setPreviewId] = useState<string>();
  const { data: preview, error } = useTakenPreview(previewId);
  const attempt = useMutation({
    mutationFn: () => {
      const proof = fields.proofText.trim() || fields.proofSelector.trim() ? proofOf(fields) : null;
      const { name } = fields;
      const body = {
        ...bodyOf(fields),
        ...(name.trim() && { name }),
        proof,
        ...(identityId && { identityId }),
      };
      return call("POST /api/identities/try", { body });
    },
    onSuccess: (reply) => setPreviewId(reply.previewId),
    onError: (refused) => onProblem(problemIn(refused)),
  });
  const state = preview?.state;
  const isBusy = attempt.isPending || (previewId !== undefined && !error && (!preview || state === "queued"));
  const hasProof = fields.proofText.trim() !== "" || fields.proofSelector.trim() !== "";
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="mb-1.5 font-medium">Proof of being signed in</legend>
      <p className="text-sm text-muted">
        What every page of the identity’s jobs shows only when you’re signed in, such as a link for signing
        out. Without it on the page, nothing is compared.
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          label="Text"
          placeholder="Sign out"
          value={fields.proofText}
          {...problemOf("proof.text")}
          autoComplete="off"
          onChange={(event) => put({ proofText: event.target.value })}
        />
        <Field
          label="CSS selector"
          mono
          placeholder=".account-menu"
          value={fields.proofSelector}
          {...problemOf("proof.selector")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => put({ proofSelector: event.target.value })}
        />
      </div>
      <div className="grid min-w-0 gap-3" aria-live="polite">
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            icon="play"
            busy={isBusy}
            disabled={fields.url.trim() === ""}
            onClick={() => attempt.mutate()}
          >
            {hasProof ? "Try now" : "Try now and propose a proof"}
          </Button>
          <span className="min-w-0 flex-1 text-sm text-muted">
            {isBusy ? "Signing in" : "Signs in once, without saving anything."}
          </span>
        </div>
        {error && <p className="text-sm text-removed">{error.message}</p>}
        {state === "failed" && (
          <p role="alert" className="text-sm text-removed">
            {preview?.error}
          </p>
        )}
        {state === "ready" && preview && (
          <Proposals proofs={preview.proofs} hadProof={hasProof} onChoose={put} />
        )}
        {preview && preview.steps.length > 0 && state !== "queued" && (
          <StepRuns
            runs={preview.steps}
            imageOf={(step) => `/api/previews/${preview.id}/steps/${step}/image`}
          />
        )}
      </div>
    </fieldset>
  );
}

type ProposalsProps = {
  proofs: { text?: string | undefined; selector?: string | undefined; why: string }[];
  hadProof: boolean;
  onChoose: (part: Pick<Fields, "proofText" | "proofSelector">) => void;
};

function Proposals({ proofs, hadProof, onChoose }: ProposalsProps) {
  if (proofs.length === 0)
    return (
      <p className="text-sm">
        {hadProof
          ? "Signed in: the page shows the proof."
          : "The steps were done, but the page shows nothing that it doesn’t show to everybody. Check the last picture."}
      </p>
    );
  return (
    <ul className="grid min-w-0 gap-2">
      {proofs.map(({ text = "", selector = "", why }) => (
        <li key={text + selector} className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
          <Button size="sm" onClick={() => onChoose({ proofText: text, proofSelector: selector })}>
            Use {text ? `“${text}”` : <code className="font-mono text-xs">{selector}</code>}
          </Button>
          <span className="min-w-0 flex-1 text-muted">{why}</span>
        </li>
      ))}
    </ul>
  );
}

const fieldsOf = (identity: Identity | null) => ({
  name: identity?.name ?? "",
  url: identity?.url ?? "",
  origins: (identity?.origins ?? [])
    .filter((origin) => origin !== URL.parse(identity?.url ?? "")?.origin)
    .join("\n"),
  steps: (identity?.steps ?? []) as PageStep[],
  secrets: identity?.secrets ?? [],
  cookies: "",
  /** A live view whose session is kept. */
  liveView: "",
  proofText: identity?.proof.text ?? "",
  proofSelector: identity?.proof.selector ?? "",
});

const siteOf = ({ url, origins }: Pick<Fields, "url" | "origins">) => ({
  url: url.trim(),
  origins: origins
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
});

const bodyOf = ({ steps, secrets, cookies, liveView, ...fields }: Fields) => ({
  ...siteOf(fields),
  steps,
  secrets: secrets.filter(({ name, value }) => name.trim() || value),
  ...(cookies.trim() && { cookies }),
  ...(liveView && { liveView }),
});

const proofOf = ({ proofText, proofSelector }: Fields) => ({
  ...(proofText.trim() && { text: proofText.trim() }),
  ...(proofSelector.trim() && { selector: proofSelector.trim() }),
});

function problemIn(error: unknown): Problem {
  const field = error instanceof CallError ? (error.field ?? "") : "";
  const [first = ""] = field.split(".");
  const message = (error as Error).message || "We couldn’t reach the server. Nothing was saved.";
  return { field: first === "proof" ? field : first, message };
}
