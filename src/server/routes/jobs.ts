import { runJob } from "#checks/run-job.ts";
import { AppError } from "#contract/errors.ts";
import { settableStatuses } from "#contract/job.ts";
import { readLogs } from "#history/read-history.ts";
import { cloneJob } from "#jobs/clone-job.ts";
import { createJob } from "#jobs/create-job.ts";
import { deleteJob } from "#jobs/delete-job.ts";
import { readJob } from "#jobs/read-job.ts";
import { setJobStatus } from "#jobs/set-job-status.ts";
import { updateJob } from "#jobs/update-job.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const jobHandlers: Handlers<
  | "createJob"
  | "addToGroup"
  | "job"
  | "updateJob"
  | "setJobStatus"
  | "deleteJob"
  | "cloneJob"
  | "runJob"
  | "jobLogs"
> = {
  async createJob(app, { actor, body }) {
    const id = await createJob(app.jobs, actor, body);
    const job = await readJob(app.jobs, actor, id);
    return {
      code: "JOB_CREATED",
      message: `The job "${job.name}" is created; its first check has started.`,
      job,
    };
  },
  async addToGroup(app, { actor, body }) {
    await updateJob(app.jobs, actor, body.jobId, { groupId: body.groupId });
    return { code: "JOB_UPDATED", message: "The job is moved." };
  },
  job: (app, { actor, params }) => readJob(app.jobs, actor, params.jobId),
  async updateJob(app, { actor, params, body }) {
    await updateJob(app.jobs, actor, params.jobId, body);
    const job = await readJob(app.jobs, actor, params.jobId);
    return { code: "JOB_UPDATED", message: `The job "${job.name}" is updated.`, job };
  },
  async setJobStatus(app, { actor, params }) {
    const status = settableStatuses.find((known) => known === params.status);
    if (!status)
      throw new AppError("INVALID_INPUT", `The status must be one of ${settableStatuses.join(", ")}.`);
    await setJobStatus(app.jobs, actor, params.jobId, status);
    return { code: "JOB_UPDATED", message: `The job is now ${status}.` };
  },
  async deleteJob(app, { actor, params }) {
    await deleteJob(app.jobs, actor, params.jobId);
    return { code: "JOB_DELETED", message: "The job and its history are deleted." };
  },
  async cloneJob(app, { actor, params }) {
    const job = await readJob(app.jobs, actor, await cloneJob(app.jobs, actor, params.jobId));
    return {
      code: "JOB_CREATED",
      message: `The job "${job.name}" is created; its first check has started.`,
      job,
    };
  },
  async runJob(app, { actor, params }) {
    const { joined } = await runJob(app.jobs, actor, params.jobId);
    return {
      code: "JOB_QUEUED",
      message: joined ? "A check is already under way." : "The check has started.",
    };
  },
  jobLogs: (app, { actor, params, query }) => readLogs(app.jobs, actor, params.jobId, query),
};
