import { sql } from "kysely";
import { notify } from "#checks/notify.ts";
import type { Finding, Verdict } from "#detection/verdict/verdict.ts";
import { indexCaptures } from "#page-index/index-captures.ts";
import type { App } from "#server/app.ts";
import type { Database } from "#storage/database.ts";
import { insertVerdicts } from "#storage/executions.ts";
import type { SharedOutside } from "./outside.ts";

export const footer = ["Careers", "Imprint"];
export const deployed = { removed: ["Careers"], added: ["Jobs"] };

/** A user with pages that change, and what became of their alerts. */
export async function watchPages(
  world: SharedOutside,
  options: Parameters<SharedOutside["person"]>[0] = { telegram: true },
) {
  const person = await world.person(options);
  const pages = openPages(world.app, person);
  const { db } = world.app;
  const rows = () =>
    db.selectFrom("joined_alerts").selectAll().where("account_id", "=", person.accountId).execute();
  return {
    ...person,
    pages,
    rows,
    addPages: (count: number) =>
      Promise.all(Array.from({ length: count }, (_, i) => pages.add(`Page ${i}`, footer))),
    telegram: () => world.telegram.sentTo(person.chat).slice(options.telegram ? 1 : 0),
    /** Waits until every change of the account is announced and nothing more waits to be sent. */
    settled: () =>
      world.eventually("all messages", async () => {
        const { n } = await db
          .selectFrom("notifications")
          .select(({ fn }) => fn.countAll<number>().as("n"))
          .where("account_id", "=", person.accountId)
          .where((eb) =>
            eb.not(
              eb.or([
                eb.exists(
                  eb
                    .selectFrom("deliveries")
                    .select("id")
                    .whereRef("notification_id", "=", "notifications.id")
                    .where("state", "=", "sent"),
                ),
                eb.exists(
                  eb
                    .selectFrom("joined_alerts")
                    .select("channel")
                    .whereRef("notification_id", "=", "notifications.id"),
                ),
              ]),
            ),
          )
          .executeTakeFirstOrThrow();
        const waiting = await db
          .selectFrom("deliveries")
          .select("id")
          .where("account_id", "=", person.accountId)
          .where("state", "=", "waiting")
          .execute();
        return Number(n) === 0 && waiting.length === 0;
      }),
    uncovered: async (channel: string) =>
      (await rows()).filter((row) => row.channel === channel && row.covered_at === null).length,
  };
}

type Page = { jobId: string; name: string; lines: string[]; number: number };
type Change = {
  removed?: string[];
  added?: string[];
  severity?: Verdict["severity"];
  findings?: Finding[];
};

/** Watched pages whose changes are recorded and announced as a check does it, but without captures. */
export function openPages(
  app: Pick<App, "db" | "queue">,
  { accountId, groupId }: { accountId: string; groupId: string },
) {
  const { db } = app;

  async function add(
    name: string,
    lines: string[],
    { host = "www.acme.example", settings = {} }: { host?: string; settings?: object } = {},
  ): Promise<Page> {
    const { id: jobId } = await db
      .insertInto("jobs")
      .values({
        account_id: accountId,
        group_id: groupId,
        name,
        url: `https://${host}/${encodeURIComponent(name)}`,
        host,
        frequency_minutes: 60,
        ignore: "[]",
        settings: JSON.stringify(settings),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const page = { jobId, name, lines, number: 0 };
    await db.transaction().execute((tx) => record(tx, page, null));
    return page;
  }

  /** Records a check of a page; returns its execution. */
  async function record(tx: Database, page: Page, verdict: Verdict | null): Promise<string> {
    page.number++;
    const { jobId, number } = page;
    const { rows } = await sql<{ id: string; created_at: Date }>`
      insert into executions (job_id, account_id, number, summary, duration_ms, attempts, facts, changed, severity,
        status_code, similarity)
      values (${jobId}, ${accountId}, ${number}, ${verdict?.summary ?? "First capture"}, 1, 1,
        ${Buffer.from("00", "hex")}, ${verdict !== null}, ${verdict?.severity ?? null}, 200, ${verdict ? 90 : null})
      returning id, created_at`.execute(tx);
    const [row] = rows;
    if (!row) throw new Error("nothing was inserted");
    if (verdict) await insertVerdicts(tx, accountId, [{ id: row.id, verdict }]);
    const blocks = page.lines.map((text) => ({ kind: "text" as const, text }));
    await indexCaptures(tx, [{ jobId, accountId, executionId: row.id, number, at: row.created_at, blocks }]);
    return row.id;
  }

  async function change(page: Page, change: Change): Promise<string> {
    const { removed = [], added = [], severity = "notice" } = change;
    page.lines = [...page.lines.filter((line) => !removed.includes(line)), ...added];
    const verdict = verdictOf(change);
    return db.transaction().execute(async (tx) => {
      const executionId = await record(tx, page, verdict);
      await notify(app, tx, {
        kind: "change",
        severity,
        account_id: accountId,
        job_id: page.jobId,
        execution_id: executionId,
        title: page.name,
        message: verdict.summary,
      });
      return executionId;
    });
  }

  return { add, change };
}

function verdictOf({ removed = [], added = [], severity = "notice", findings = [] }: Change): Verdict {
  const changes = [
    ...removed.map((before) => ({ where: "main", before, after: null })),
    ...added.map((after) => ({ where: "main", before: null, after })),
  ];
  const summary = `${removed.length} lines removed, ${added.length} added`;
  return {
    changed: true,
    folded: false,
    often: [],
    similarity: 90,
    severity,
    summary,
    reasons: [{ kind: "text", severity, summary, changes, count: changes.length }],
    findings,
    hunks: [],
    regions: [],
    ignored: [],
    ignoredCount: 0,
  };
}
