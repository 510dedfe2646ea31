import { sql } from "kysely";
import { type ChannelId, channelIds, channels } from "#channels/channel-list.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { NewGroup } from "#contract/job.ts";
import type { NewSavedView } from "#contract/saved-view.ts";
import type { Deps } from "#jobs/deps.ts";
import { addGroup } from "#jobs/groups.ts";
import { saveGroupDefaults } from "#jobs/save-group-defaults.ts";
import { addSavedView } from "#jobs/saved-views.ts";
import { refuseMessage } from "#message-templates/message-template.ts";
import { refuseTimetable } from "#scheduling/timetable.ts";
import { type ArchivedSearchAlert, restoreSearchAlert } from "#search-alerts/archive-search-alert.ts";
import type { Database } from "#storage/database.ts";
import { listPaces, putPace } from "#storage/delivery-schedules.ts";
import { findGroupByName } from "#storage/groups.ts";
import { listTemplates, putTemplate } from "#storage/templates.ts";
import type { ArchiveGroup, ArchiveSettings } from "./read-archive.ts";

/** Imports an archive's settings besides its jobs; settings that exist here stay. Returns what became of them. */
export async function importSettings(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { groups, paces, templates, savedViews, searchAlerts }: ArchiveSettings,
): Promise<string[]> {
  const messages: string[] = [];
  for (const group of groups) messages.push(...(await importGroup(deps, tx, actor, group)));
  const [ownPaces, ownTemplates] = await Promise.all([
    listPaces(tx, actor.accountId),
    listTemplates(tx, actor.accountId),
  ]);
  for (const id of channelIds) {
    const { name } = channels[id];
    const pace = paces[id];
    if (pace && !ownPaces[id] && !refuseTimetable({ zone: pace.zone, cron: "0 * * * *" }, new Date())) {
      await putPace(tx, actor.accountId, id, pace);
      messages.push(`${name} keeps its quiet hours and digests.`);
    }
    const template = id === "webhook" ? undefined : templates[id];
    if (template && !ownTemplates[id as ChannelId] && !refuseMessage(template)) {
      await putTemplate(tx, actor.accountId, id, template);
      messages.push(`${name} keeps its message.`);
    }
  }
  messages.push(...(await importSavedViews(tx, actor, savedViews)));
  messages.push(...(await importSearchAlerts(tx, actor, searchAlerts)));
  return messages;
}

async function importSavedViews(tx: Database, actor: Actor, views: NewSavedView[]): Promise<string[]> {
  const messages: string[] = [];
  for (const view of views) {
    try {
      if (await addSavedView(tx, actor, view)) messages.push(`The saved view ${view.name} is added.`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [...messages, `The saved view ${view.name} and those after it are left out: ${error.message}`];
    }
  }
  return messages;
}

async function importSearchAlerts(
  tx: Database,
  actor: Actor,
  alerts: ArchivedSearchAlert[],
): Promise<string[]> {
  const messages: string[] = [];
  for (const alert of alerts) {
    try {
      if (await restoreSearchAlert(tx, actor, alert))
        messages.push(`The search alert ${alert.name} is added.`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      messages.push(`The search alert ${alert.name} is left out: ${error.message}`);
    }
  }
  return messages;
}

async function importGroup(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { name: givenName, settings, hasDefaults, headers, stepSecrets }: ArchiveGroup,
): Promise<string[]> {
  const { data: named, error: refused } = NewGroup.safeParse({ name: givenName });
  if (!named) return [`A group is left out: ${refused.issues[0]?.message}`];
  const { name } = named;
  const known = await findGroupByName(tx, actor.accountId, name);
  const hasOwn = known && (Object.keys(known.handed).length > 0 || known.timetable || known.headers_sealed);
  const secret = [
    ...(headers.length > 0 ? [`the headers ${headers.join(", ")}`] : []),
    ...(stepSecrets.length > 0 ? [`what the steps type as ${stepSecrets.join(", ")}`] : []),
  ].join("; ");
  await sql`savepoint settings`.execute(tx);
  try {
    const id = known?.id ?? (await addGroup(tx, actor, name)).id;
    if (hasDefaults && hasOwn) return [`The group ${name} keeps the defaults that it has here.`];
    if (hasDefaults && !settings) throw new AppError("INVALID_INPUT", "they are not valid.");
    if (hasDefaults && settings) await saveGroupDefaults(deps, actor, id, settings, tx);
    await sql`release savepoint settings`.execute(tx);
    return [
      ...(hasDefaults ? [`The group ${name} has its defaults.`] : []),
      ...(secret ? [`Enter again, because archives contain no secrets: ${secret} of ${name}.`] : []),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await sql`rollback to savepoint settings`.execute(tx);
    return [`The settings of the group ${name} are left out: ${error.message}`];
  }
}
