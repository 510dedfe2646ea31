import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { type ChannelId, channelIds, channels } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { NewGroup } from "#contract/job.ts";
import { refuseTimetable } from "#contract/timetable.ts";
import { refuseTemplate } from "#delivery/fill-message.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName } from "#storage/groups.ts";
import { listPaces, putPace } from "#storage/paces.ts";
import { listTemplates, putTemplate } from "#storage/templates.ts";
import type { Deps } from "./deps.ts";
import { addGroup } from "./groups.ts";
import { handDown } from "./hand-down.ts";
import type { OwnGroup, OwnSettings } from "./importing/read-own.ts";

/** Brings what an archive says besides its jobs; what its user has said here already stays. Answers what became of it. */
export async function bringSettings(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { groups, paces, templates }: OwnSettings,
): Promise<string[]> {
  const said: string[] = [];
  for (const group of groups) said.push(...(await bringGroup(deps, tx, actor, group)));
  const [ownPaces, ownTemplates] = await Promise.all([
    listPaces(tx, actor.accountId),
    listTemplates(tx, actor.accountId),
  ]);
  for (const id of channelIds) {
    const { name } = channels[id];
    const pace = paces[id];
    if (pace && !ownPaces[id] && !refuseTimetable({ zone: pace.zone, cron: "0 * * * *" }, new Date())) {
      await putPace(tx, actor.accountId, id, pace);
      said.push(`${name} keeps its quiet hours and digests.`);
    }
    const template = id === "webhook" ? undefined : templates[id];
    if (template && !ownTemplates[id as ChannelId] && !refuseTemplate(template)) {
      await putTemplate(tx, actor.accountId, id, template);
      said.push(`${name} keeps its message.`);
    }
  }
  return said;
}

async function bringGroup(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { name: called, settings, isSaid, headers }: OwnGroup,
): Promise<string[]> {
  const { data: named, error: refused } = NewGroup.safeParse({ name: called });
  if (!named) return [`A group is left out: ${refused.issues[0]?.message}`];
  const { name } = named;
  const known = await findGroupByName(tx, actor.accountId, name);
  const isOwn = known && (Object.keys(known.handed).length > 0 || known.timetable || known.headers_sealed);
  const secret = headers.join(", ");
  await sql`savepoint settings`.execute(tx);
  try {
    const id = known?.id ?? (await addGroup(tx, actor, name)).id;
    if (isSaid && isOwn) return [`The group ${name} hands down what it did here.`];
    if (isSaid && !settings) throw new AppError("INVALID_INPUT", "they are not valid.");
    if (isSaid && settings) await handDown(deps, actor, id, settings, tx);
    await sql`release savepoint settings`.execute(tx);
    return [
      ...(isSaid ? [`The group ${name} hands down its settings.`] : []),
      ...(secret ? [`Put in again, since archives hold no secrets: the headers ${secret} of ${name}.`] : []),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await sql`rollback to savepoint settings`.execute(tx);
    return [`The settings of the group ${name} are left out: ${error.message}`];
  }
}
