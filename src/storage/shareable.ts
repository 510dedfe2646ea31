import { sql } from "kysely";

/** Whether links and feeds may show a job: nothing behind a sign-in was captured, or its user allowed it. */
export const isShareable = sql<boolean>`(not jobs.signed_in or coalesce(
  (jobs.settings ->> 'sharesSignedIn')::boolean,
  (select (handed ->> 'sharesSignedIn')::boolean from groups where groups.id = jobs.group_id),
  false))`;

export const notShareable =
  "What is behind a sign-in isn’t shared. Switch on “Share links and feeds” in the job’s settings first.";
