import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { exactTime } from "#web/ui/relative-time.ts";
import { Select } from "#web/ui/select.tsx";
import { type Report, useReportAction } from "./queries.ts";

const choices = [1, 7, 30] as const;

/** Makes a report's public link, or ends it. */
export function ShareReport({ report, onClose }: { report: Report; onClose: () => void }) {
  const client = useQueryClient();
  const params = { reportId: report.id };
  const [days, setDays] = useState<(typeof choices)[number]>(7);
  const make = useMutation({
    mutationFn: () => call("POST /api/reports/:reportId/share", { params, body: { days } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["reports"] }),
    onError: (error) => toast.error(error.message || "The link could not be made."),
  });
  const end = useReportAction(() => call("DELETE /api/reports/:reportId/share", { params }));
  const made = make.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share report"
      description="Anyone with the link reads the whole report, headers included."
      footer={
        <>
          {report.sharedUntil && (
            <Button busy={end.isPending} onClick={() => end.mutate(undefined, { onSuccess: onClose })}>
              End the link
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
            hint={`It works until ${exactTime(Date.parse(made.expiresAt))}. It is not shown again.`}
            value={made.url}
            readOnly
            mono
            after={<CopyButton value={made.url} label="Copy the link" />}
          />
        ) : (
          <Select
            label="The link lives"
            value={String(days)}
            onChange={(value) => setDays(choices.find((one) => String(one) === value) ?? 7)}
            options={choices.map((one) => ({
              value: String(one),
              label: one === 1 ? "1 day" : `${one} days`,
            }))}
          />
        )}
        {!made && report.sharedUntil && (
          <p className="mt-3 text-sm text-muted">There is a link already. A new one ends it.</p>
        )}
      </div>
    </Dialog>
  );
}
