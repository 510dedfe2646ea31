import { sql } from "kysely";
import {
  startMatrixServer,
  startNtfyServer,
  startSlackServer,
  startTeamsServer,
} from "#channels/testing/chat-servers.ts";
import { startDiscordServer } from "#channels/testing/discord-server.ts";
import { startHookServer } from "#channels/testing/hook-server.ts";
import { until } from "#channels/testing/listen.ts";
import { startTelegramServer } from "#channels/testing/telegram-server.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { makeDue } from "#queue/testing/make-due.ts";
import { startTelegram } from "#telegram-bot/start-telegram-bot.ts";

type Outside = Awaited<ReturnType<typeof startOutside>>;
export type SharedOutside = Omit<Outside, "close">;

let shared: Promise<Outside> | undefined;

/** The instance that all test files of a worker share, with its stand-ins reset. */
export async function sharedOutside(): Promise<SharedOutside> {
  shared ??= startOutside();
  const outside = await shared;
  outside.reset();
  return outside;
}

/** The product with stand-ins for all it sends to: a Telegram bot, Discord, a receiver of triggers, its own mailbox. */
export async function startOutside(environment: Record<string, string> = {}) {
  const [telegram, discord, hook] = await Promise.all([
    startTelegramServer(),
    startDiscordServer(),
    startHookServer(),
  ]);
  const engine = await startTestEngine({
    environment: { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url, ...environment },
  });
  const stopBot = startTelegram(engine.app);
  let chats = 1000;

  /** Makes postponed deliveries, digests, edits and triggers due now. */
  const hurry = () => makeDue(engine.app.db, sql`name in ('deliver', 'digest', 'trigger', 'edit-alert')`);

  /** As if no page had joined the incidents of an account for ten minutes. */
  async function passQuietTime(accountId: string): Promise<void> {
    const { db } = engine.app;
    await sql`update joined_alerts set created_at = created_at - interval '11 minutes'
      where account_id = ${accountId}`.execute(db);
    await sql`update incident_changes set at = at - interval '11 minutes'
      where account_id = ${accountId}`.execute(db);
    await makeDue(
      db,
      sql`name = 'close-incident' and data ->> 'incidentId' in (
        select id::text from incidents where account_id = ${accountId})`,
    );
  }

  async function eventually<T>(what: string, poll: () => Promise<T | undefined | false | null>): Promise<T> {
    return engine.waitFor(what, async () => {
      await hurry();
      return poll();
    });
  }

  /** A user on a plan, with a page to watch, linked to a Telegram chat and to Discord if the options say so. */
  async function person(
    options: { plan?: "basic" | "ultimate"; telegram?: boolean; discord?: boolean } = {},
  ) {
    const { plan = "ultimate" } = options;
    const user = await engine.person(plan);
    const chat = String(++chats);
    if (options.telegram) {
      await telegram.say(chat, `/addtoken ${await botToken()}`);
      await telegram.message(chat);
      await engine.mailTo(user.email);
    }
    if (options.discord) await user.call("PUT", "/api/me/channels/discord", { url: discord.webhook });

    async function botToken(): Promise<string> {
      const me = await user.call("GET", "/api/me");
      const tokens = me.body.UserBotToken as unknown as { telegramPrivateToken: string }[];
      return String(tokens[0]?.telegramPrivateToken);
    }
    /** Checks a job whose page has just changed. */
    async function change(jobId: string, text: string) {
      engine.site.page.html = html(...story, text);
      return user.run(jobId);
    }
    async function createJob(input: object = {}, page = html(...story)) {
      engine.site.page.html = page;
      const id = await user.createJob(input);
      await user.execution(id, 1);
      return id;
    }
    const detail = async (jobId: string, executionId: string) =>
      (await user.call("GET", `/api/jobs/${jobId}/executions/${executionId}`)).body as unknown as {
        deliveries: {
          channel: string;
          state: string;
          attempts: number;
          error: string | null;
          insteadOf: string | null;
        }[];
        triggerRuns: {
          id: string;
          eventId: string;
          state: string;
          attempts: number;
          error: string | null;
          byHand: boolean;
          request: { url: string; headers: { name: string; value: string }[]; body: string } | null;
          response: { status: number; body: string } | null;
        }[];
      };
    // Polls the database, because an API call costs ten times as much.
    const areFinished = async (executionId: string) => {
      const rows = await engine.app.db
        .selectFrom("deliveries")
        .select("state")
        .where("execution_id", "=", executionId)
        .execute();
      return rows.length > 0 && rows.every(({ state }) => state === "sent" || state === "failed");
    };
    const deliveriesOf = async (jobId: string, executionId: string) => {
      await eventually("all deliveries", () => areFinished(executionId));
      return (await detail(jobId, executionId)).deliveries;
    };
    const feed = async () =>
      (await user.call("GET", "/api/notifications")).body.notifications as unknown as {
        kind: string;
        title: string;
        message: string;
      }[];
    const alerts = async () =>
      (await engine.mailsTo(user.email)).filter((mail) => !/account|linked/.test(mail.subject));
    return { ...user, chat, botToken, change, createJob, detail, deliveriesOf, feed, alerts };
  }

  /** Clears what the stand-ins received and how an earlier test file had set them up. */
  function reset(): void {
    for (const standIn of [engine.site, telegram, discord, hook]) standIn.reset();
  }

  return {
    ...engine,
    telegram,
    discord,
    hook,
    reset,
    person,
    eventually,
    hurry,
    passQuietTime,
    until,
    async close() {
      await stopBot();
      await engine.close();
      await Promise.all([telegram.close(), discord.close(), hook.close()]);
    },
  };
}

/** The same, with stand-ins for the chat services that are set up by an address. */
export async function startChatStandIns() {
  const [outside, slack, teams, ntfy, matrix] = await Promise.all([
    sharedOutside(),
    startSlackServer(),
    startTeamsServer(),
    startNtfyServer(),
    startMatrixServer(),
  ]);
  return {
    outside,
    hook: outside.hook,
    slack,
    teams,
    ntfy,
    matrix,
    async close() {
      await Promise.all([slack, teams, ntfy, matrix].map((server) => server.close()));
    },
  };
}
