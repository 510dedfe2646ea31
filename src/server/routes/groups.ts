import { createGroup, deleteGroup, renameGroup } from "#jobs/groups.ts";
import { readGroup } from "#jobs/read-job.ts";
import { saveGroupDefaults } from "#jobs/save-group-defaults.ts";
import { listGroups } from "#storage/groups.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const groupHandlers: Handlers<
  "listGroups" | "createGroup" | "group" | "renameGroup" | "putGroupSettings" | "deleteGroup"
> = {
  listGroups: (app, { actor }) => listGroups(app.db, actor.accountId),
  async createGroup(app, { actor, body }) {
    const { id, name } = await createGroup(app.jobs, actor, body.name);
    return { code: "GROUP_CREATED", message: `The group "${name}" is created.`, id, name };
  },
  group: (app, { actor, params }) => readGroup(app.jobs, actor, params.groupId),
  async renameGroup(app, { actor, params, body }) {
    await renameGroup(app.jobs, actor, params.groupId, body.name);
    return {
      code: "GROUP_UPDATED",
      message: `The group is now called "${body.name}".`,
      id: params.groupId,
      name: body.name,
    };
  },
  async putGroupSettings(app, { actor, params, body }) {
    await saveGroupDefaults(app.jobs, actor, params.groupId, body);
    return { code: "GROUP_UPDATED", message: "The new defaults apply from each job’s next check." };
  },
  async deleteGroup(app, { actor, params }) {
    const { name, jobs } = await deleteGroup(app.jobs, actor, params.groupId);
    const also = jobs === 0 ? "" : jobs === 1 ? " with its job" : ` with its ${jobs} jobs`;
    return { code: "GROUP_DELETED", message: `The group "${name}" is deleted${also}.` };
  },
};
