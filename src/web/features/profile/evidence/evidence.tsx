import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Field } from "#web/ui/field.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { Time } from "#web/ui/time/time.tsx";

const key = ["evidence"];
type Settings = Awaited<ReturnType<typeof fetchEvidence>>;

const fetchEvidence = (signal?: AbortSignal) => call("GET /api/evidence", undefined, { signal });

/** The daily fingerprints, which prove that captures were not altered, and where copies of them are sent. */
export function Evidence() {
  const client = useQueryClient();
  const evidence = useQuery({ queryKey: key, queryFn: ({ signal }) => fetchEvidence(signal) });
  const mail = useMutation({
    mutationFn: (on: boolean) => call("PATCH /api/evidence", { body: { mail: on } }),
    onError: (error) => toast.error(error.message || "We couldn’t save the setting. Try again."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  return (
    <Card
      title="Evidence"
      note="Each execution is sealed with a fingerprint (SHA-256) of what it captured and of the execution before it. Once a day, one fingerprint covers all your jobs. Exports contain them, signed, with a program that checks them."
    >
      <div className="grid grid-cols-1 gap-5 p-4">
        {evidence.isPending && <Skeleton className="h-24" />}
        {evidence.isError && (
          <Failed
            title="We couldn’t load your daily fingerprints"
            action="Try again"
            onAction={() => void evidence.refetch()}
          >
            {evidence.error.message || "We couldn’t reach the server."}
          </Failed>
        )}
        {evidence.data && (
          <>
            <Anchors settings={evidence.data} />
            <Switch
              label="Email me each day’s fingerprint"
              hint="Kept outside Watchglass, it proves later that nothing up to that day was changed."
              checked={mail.isPending ? mail.variables : evidence.data.mail}
              onChange={(on) => mail.mutate(on)}
            />
            <Webhook host={evidence.data.webhook} />
            <DailySeals settings={evidence.data} />
          </>
        )}
      </div>
    </Card>
  );
}

/** Says which things outside this installation vouch for the captures, and which don't. */
function Anchors({ settings: { key: signer, stamps, mail, webhook, bucket } }: { settings: Settings }) {
  const outside = [
    ...(stamps ? ["time stamps of an independent authority (RFC 3161)"] : []),
    ...(mail ? ["your mailbox"] : []),
    ...(webhook ? [`a webhook at ${webhook}`] : []),
    ...(bucket ? [`the bucket ${bucket}, where files can't be changed`] : []),
  ];
  return (
    <div className="grid gap-2 text-sm">
      <h3 className="font-medium">What proves your captures</h3>
      <p>
        {outside.length > 0
          ? `Daily fingerprints are also kept outside this installation: ${outside.join("; ")}. They prove the time of your captures, even against whoever runs this server.`
          : "Nothing outside this installation. Exports are consistent and signed, but whoever runs this server could still make up an older history. Turn on the email or add a webhook."}
      </p>
      <p className="text-muted">
        Exports are signed with key {signer.number} of this installation (Ed25519). Note its fingerprint
        somewhere else, so that you recognize genuine exports:
      </p>
      <div className="flex items-center gap-2">
        <span className="min-w-0 font-mono text-xs break-all">{signer.fingerprint}</span>
        <CopyButton value={signer.fingerprint} label="Copy the fingerprint of the key" />
      </div>
    </div>
  );
}

function Webhook({ host }: { host: string | null }) {
  const client = useQueryClient();
  const [url, setUrl] = useState("");
  const save = useMutation({
    mutationFn: (webhook: string | null) => call("PATCH /api/evidence", { body: { webhook } }),
    onSuccess: ({ message }) => {
      setUrl("");
      toast.success(message);
    },
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  if (host)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p>
          Each day&apos;s fingerprint is sent to a webhook at <strong className="font-medium">{host}</strong>.
        </p>
        <Button busy={save.isPending} onClick={() => save.mutate(null)}>
          Remove the webhook
        </Button>
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(url);
      }}
    >
      <Field
        label="Send it to a webhook"
        type="url"
        required
        value={url}
        placeholder="https://example.com/fingerprints"
        hint="We POST each day’s fingerprint and its signature there as JSON."
        {...(save.isError ? { error: save.error.message || "We couldn’t save the webhook. Try again." } : {})}
        onChange={(event) => {
          save.reset();
          setUrl(event.target.value);
        }}
        after={
          <Button type="submit" busy={save.isPending}>
            Save
          </Button>
        }
      />
    </form>
  );
}

const placeNames = { mail: "mail", webhook: "webhook", bucket: "bucket" };

function DailySeals({ settings: { days, stamps } }: { settings: Settings }) {
  if (days.length === 0)
    return (
      <p className="text-sm text-muted">
        No daily fingerprint yet. The first one is made after midnight (UTC), once a job has been checked.
      </p>
    );
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">Newest daily fingerprints</h3>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line">
        {days.map(({ day, head, jobs, stampedAt, authority, problem, sent, unsent }) => (
          <li key={day} className="flex items-center gap-3 px-3 py-2 text-sm">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="flex flex-wrap gap-x-3">
                <time dateTime={day} className="figures font-medium">
                  {day}
                </time>
                <span className="text-muted">{countOf(jobs, "job")}</span>
                {sent.length > 0 && (
                  <span className="text-muted">
                    Sent by {sent.map(({ to }) => placeNames[to]).join(", ")}
                  </span>
                )}
              </p>
              <p className="truncate font-mono text-xs text-muted" title={head}>
                {head}
              </p>
              {stampedAt && (
                <p className="truncate text-muted" title={authority ?? ""}>
                  Stamped <Time at={stampedAt} /> by {authority}
                </p>
              )}
              {!stampedAt && problem && <p className="text-removed">No time stamp yet. {problem}</p>}
              {!stampedAt && !problem && stamps && <p className="text-muted">No time stamp yet</p>}
              {unsent.map(({ to, problem: why }) => (
                <p key={to} className="text-removed">
                  Not sent by {placeNames[to]} yet. {why}
                </p>
              ))}
            </div>
            <CopyButton value={head} label={`Copy the fingerprint of ${day}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
