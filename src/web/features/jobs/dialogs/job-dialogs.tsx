import { useAddress } from "#web/ui/use-address.ts";
import type { Group, GroupWithJobs, Job } from "../queries.ts";
import type { Deletion } from "../use-deletions.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { DeleteGroup, EditGroup, NewGroup } from "./group-dialogs.tsx";
import { GroupSettings } from "./group-settings.tsx";
import { JobSettings } from "./job-settings.tsx";
import { NewJob } from "./new-job.tsx";

type JobDialogsProps = {
  groups: Group[] | undefined;
  groupId: string | undefined;
  group: GroupWithJobs | undefined;
  job: Job | undefined;
  onDelete: (deletion: Deletion) => void;
};

/** The dialog that the address names. */
export function JobDialogs({ groups, groupId, group, job, onDelete }: JobDialogsProps) {
  const [search, change] = useAddress();
  const dialog = search.get("dialog");
  const close = () => change({ dialog: null }, true);
  if (dialog === "new-group") {
    return <NewGroup onClose={close} onMade={(id) => change({ dialog: null, group: id, job: null }, true)} />;
  }
  // Without a group a job has nowhere to be.
  if (dialog === "new-job" && groups?.length === 0) {
    return <NewGroup onClose={close} onMade={(id) => change({ dialog: "new-job", group: id }, true)} />;
  }
  // Not before it is known which group it would go into.
  if (dialog === "new-job" && groups && groupId) {
    return (
      <NewJob
        groups={groups}
        groupId={groupId}
        onClose={close}
        onMade={(group, job) => change({ dialog: null, group, job }, true)}
      />
    );
  }
  if (dialog === "edit-group" && group) return <EditGroup group={group} onClose={close} />;
  if (dialog === "group-settings" && group) {
    return <GroupSettings key={group.id} group={group} onClose={close} />;
  }
  if (dialog === "delete-group" && group) {
    return (
      <DeleteGroup
        group={group}
        onClose={close}
        onDelete={(deletion) => {
          onDelete(deletion);
          change({ dialog: null, group: null, job: null }, true);
        }}
      />
    );
  }
  if (dialog === "settings" && job && groups) {
    return (
      <JobSettings
        key={job.id}
        job={job}
        groups={groups}
        onClose={close}
        onMoved={(group) => change({ dialog: null, group, job: job.id }, true)}
      />
    );
  }
  if (dialog === "export" && job) return <ExportDialog job={job} onClose={close} />;
  return null;
}
