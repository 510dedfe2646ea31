import { useQueryClient } from "@tanstack/react-query";
import { planById } from "#contract/plans.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { useAddress } from "#web/ui/use-address.ts";
import { emptyFields, fieldsOf, type JobFields, withoutSecrets } from "../dialogs/fields.ts";
import { useDraft } from "../dialogs/use-draft.ts";
import type { Job } from "../queries.ts";
import { Picker } from "./picker.tsx";
import { executionGround, type Ground, previewGround } from "./source.ts";
import { pickedKey } from "./use-picked.ts";

type PickDialogProps = { job: Job | undefined; groupId: string | undefined };

/** 'Pick on the page', for the job that is being made where the address names a preview, else for the job in sight. */
export function PickDialog({ job, groupId }: PickDialogProps) {
  const [search, change] = useAddress();
  const { data: me } = useMe();
  const previewId = search.get("preview");
  if (!me) return null;
  if (previewId) {
    return (
      <Pick
        name="new-job"
        start={() => emptyFields(groupId ?? "", planById(me.planId))}
        keep={keepOf(me, "new-job")}
        ground={previewGround(previewId)}
        onDone={() => change({ dialog: "new-job", preview: null }, true)}
        onBack={() => change({ dialog: "new-job", preview: null }, true)}
      />
    );
  }
  const seen = search.get("execution") ?? job?.executions.find(({ hasImage }) => hasImage)?.id;
  if (!job || !seen) return null;
  const back = search.get("execution") ? null : "settings";
  return (
    <Pick
      name={`job-${job.id}`}
      start={() => fieldsOf(job)}
      ground={executionGround(job.id, seen)}
      onDone={() => change({ dialog: "settings" }, true)}
      onBack={() => change({ dialog: back }, true)}
    />
  );
}

const keepOf = (me: Me, name: string) => ({ key: `draft:${me.id}:${name}`, part: withoutSecrets });

type PickProps = {
  name: string;
  start: () => JobFields;
  keep?: { key: string; part: (fields: JobFields) => JobFields };
  ground: Ground;
  onDone: () => void;
  onBack: () => void;
};

function Pick({ name, start, keep, ground, onDone, onBack }: PickProps) {
  const { draft, setDraft } = useDraft(name, start, keep);
  const client = useQueryClient();
  const put = (part: Partial<JobFields>) => {
    setDraft({ ...draft, ...part });
    client.setQueryData(pickedKey, Object.keys(part)[0]);
    onDone();
  };
  return (
    <Picker
      ground={ground}
      onWatch={(selector) => put({ selector })}
      onIgnore={(selector) => put({ ignore: withLine(draft.ignore, selector) })}
      onClose={onBack}
    />
  );
}

function withLine(text: string, line: string): string {
  const lines = text.split("\n").filter((one) => one.trim() !== "");
  return lines.includes(line) ? text : [...lines, line].join("\n");
}
