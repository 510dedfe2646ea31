import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import type { Deletion } from "./delete-and-undo/use-deletions.ts";
import { PickDialog } from "./element-picker/pick-dialog.tsx";
import { ExportDialog } from "./export/export-dialog.tsx";
import { DeleteGroup, EditGroup, NewGroup } from "./groups/group-dialogs.tsx";
import { GroupSettings } from "./groups/group-settings.tsx";
import { NewJob } from "./job-form/new-job.tsx";
import { JobSettings } from "./job-settings/job-settings.tsx";
import type { Group, GroupWithJobs, Job } from "./queries.ts";
import { RuleTestDialog } from "./test-on-history/rule-test-dialog.tsx";

type JobDialogsProps = {
  groups: Group[] | undefined;
  groupId: string | undefined;
  group: GroupWithJobs | undefined;
  job: Job | undefined;
  onDelete: (deletion: Deletion) => void;
};

/** Shows the dialog that the URL names. */
export function JobDialogs({ groups, groupId, group, job, onDelete }: JobDialogsProps) {
  const [search, change] = useUrlParams();
  const dialog = search.get("dialog");
  const close = () => change({ dialog: null }, true);
  if (dialog === "new-group") {
    return <NewGroup onClose={close} onMade={(id) => change({ dialog: null, group: id, job: null }, true)} />;
  }
  // A job needs a group, so create one first.
  if (dialog === "new-job" && groups?.length === 0) {
    return <NewGroup onClose={close} onMade={(id) => change({ dialog: "new-job", group: id }, true)} />;
  }
  // Wait until the new job's group is known.
  if (dialog === "new-job" && groups && groupId) {
    return (
      <NewJob
        groups={groups}
        groupId={groupId}
        onClose={close}
        onMade={(group, job) => change({ dialog: null, group, job }, true)}
        onPick={(previewId) => change({ dialog: "pick", preview: previewId ?? null })}
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
        onClose={() => change({ dialog: null, section: null }, true)}
        onMoved={(group) => change({ group, job: job.id }, true)}
        onPick={() => change({ dialog: "pick", section: null })}
        onTry={() => change({ dialog: "try", section: null })}
      />
    );
  }
  if (dialog === "try" && job)
    return (
      <RuleTestDialog key={job.id} job={job} onClose={() => change({ dialog: null, days: null }, true)} />
    );
  if (dialog === "pick") return <PickDialog job={job} groupId={groupId} />;
  if (dialog === "export" && job) return <ExportDialog job={job} onClose={close} />;
  return null;
}
