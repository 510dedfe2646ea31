import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton, copyText } from "#web/ui/copy-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { SharedLinks } from "./shared-links.tsx";

const choices = [1, 7, 30] as const;

type ShareDialogProps = {
  jobId: string;
  executionId: string;
  fromId: string | undefined;
  onClose: () => void;
};

/** Creates a public link to one comparison, and lists the account's links to revoke them. */
export function ShareDialog({ jobId, executionId, fromId, onClose }: ShareDialogProps) {
  const client = useQueryClient();
  const [isCopied, setCopied] = useState(false);
  const [days, setDays] = useState<(typeof choices)[number]>(7);
  const { data: job } = useQuery({
    queryKey: ["job", jobId],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId", { params: { jobId } }, { signal }),
  });
  const make = useMutation({
    mutationFn: () =>
      call("POST /api/jobs/:jobId/share", { params: { jobId }, body: { executionId, fromId, days } }),
    onSuccess: async ({ url }) => {
      setCopied(await copyText(url));
      await client.invalidateQueries({ queryKey: ["shares"] });
    },
    onError: (error) => toast.error(error.message || "We couldn’t create the link."),
  });
  const made = make.data;
  const link = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (made) link.current?.querySelector("input")?.select();
  }, [made]);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Share Result"
      description="Anyone with the link can see this comparison: both captures and what changed. They can’t see your name, your other checks or any headers."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {made ? (
            <Button onClick={() => make.reset()}>Create another link</Button>
          ) : (
            <Button look="primary" icon="link" busy={make.isPending} onClick={() => make.mutate()}>
              Create link
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <div className="mt-4 grid gap-1.5">
          <div ref={link} className="flex items-end gap-2">
            <Field label="Link" mono readOnly value={made.url} className="flex-1" />
            <CopyButton value={made.url} label="Copy the link" />
          </div>
          <p className="text-sm text-muted">
            {isCopied ? "Copied. " : "Copy it now: "}It won’t be shown again. It works until{" "}
            {exactTime(Date.parse(made.expiresAt))}.
          </p>
        </div>
      ) : (
        <>
          <fieldset className="mt-4 grid grid-cols-3 gap-2">
            <legend className="mb-1.5 text-sm font-medium">The link works for</legend>
            {choices.map((choice) => (
              <label
                key={choice}
                className="flex items-center gap-2 rounded-control border border-line px-3 py-1.5 has-checked:border-accent-text has-checked:bg-accent-bg"
              >
                <input
                  type="radio"
                  name="days"
                  checked={days === choice}
                  onChange={() => setDays(choice)}
                  className="size-4 shrink-0 accent-accent-text"
                />
                {choice === 1 ? "1 day" : `${choice} days`}
              </label>
            ))}
          </fieldset>
          {job && (job.headers.length > 0 || job.stepSecrets.length > 0) && (
            <p className="mt-3 rounded-control bg-changed-bg px-3 py-2 text-sm text-changed">
              This job sends headers or secrets of yours, so these captures may show what only you can see.
            </p>
          )}
        </>
      )}
      <SharedLinks onRevoked={(id) => id === made?.id && make.reset()} />
    </Dialog>
  );
}
