import type { GroupSettings } from "#contract/job.ts";
import type { Plan } from "#plans/plans.ts";
import type { Group } from "../../queries.ts";
import type { JobFields, Problems } from "../fields.ts";

/** What every section of the job form gets. */
export type SectionProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  plan: Plan;
  groups: Group[];
  /** Absent for a new job. */
  jobId: string | undefined;
  /** The group defaults that the job inherits. */
  inherited: GroupSettings | null;
  /** 'Pick on the page', for the given preview or else for the job; absent if there is no screenshot. */
  onPick: ((previewId?: string) => void) | undefined;
};
