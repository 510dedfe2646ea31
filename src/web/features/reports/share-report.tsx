import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { type Report, useReportAction } from "./queries.ts";

const choices = [1, 7, 30] as const;

/** Creates or revokes a report's public link. */
export function ShareReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const client = useQueryClient();
  const params = { reportId: report.id };
  const [days, setDays] = useState<(typeof choices)[number]>(7);
  const make = useMutation({
    mutationFn: () => call("POST /api/reports/:reportId/share", { params, body: { days } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["reports"] }),
    onError: (error) => toast.error(error.message || "We couldn’t create the link."),
  });
  const end = useReportAction(() => call("DELETE /api/reports/:reportId/share", { params }));
  const made = make.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share report"
      description="Anyone with the link can read the whole report, including headers."
      footer={
        <>
          {report.sharedUntil && (
            <Button busy={end.isPending} onClick={() => end.mutate(undefined, { onSuccess: onClose })}>
              Revoke link
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          {!made && (
            <Button look="primary" icon="link" busy={make.isPending} onClick={() => make.mutate()}>
              Create link
            </Button>
          )}
        </>
      }
    >
      <div className="mt-4">
        {made ? (
          <Field
            label="Link"
            hint={`It works until ${exactTime(Date.parse(made.expiresAt))}. It won’t be shown again.`}
            value={made.url}
            readOnly
            mono
            after={<CopyButton value={made.url} label="Copy the link" />}
          />
        ) : (
          <Select
            label="Link is valid for"
            value={String(days)}
            onChange={(value) => setDays(choices.find((one) => String(one) === value) ?? 7)}
            options={choices.map((one) => ({
              value: String(one),
              label: one === 1 ? "1 day" : `${one} days`,
            }))}
          />
        )}
        {!made && report.sharedUntil && (
          <p className="mt-3 text-sm text-muted">There’s already a link. A new one replaces it.</p>
        )}
      </div>
    </Dialog>
  );
}
