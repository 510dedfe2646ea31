import { sql } from "kysely";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import {
  startMatrixServer,
  startNtfyServer,
  startSlackServer,
  startTeamsServer,
} from "#delivery/testing/chat-servers.ts";
import { startDiscordServer } from "#delivery/testing/discord-server.ts";
import { startHookServer } from "#delivery/testing/hook-server.ts";
import { until } from "#delivery/testing/listen.ts";
import { startTelegramServer } from "#delivery/testing/telegram-server.ts";
import { startTelegram } from "#server/telegram.ts";

type Outside = Awaited<ReturnType<typeof startOutside>>;
export type SharedOutside = Omit<Outside, "close">;

let shared: Promise<Outside> | undefined;

/** The one that all test files of a worker share, with its stand-ins as they were at first. */
export async function sharedOutside(): Promise<SharedOutside> {
  shared ??= startOutside();
  const outside = await shared;
  outside.reset();
  return outside;
}

/** The product with everything that it tells: a bot, a Discord, a receiver of triggers, and its own mailbox. */
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

  /** What is put off is due now. */
  const hurry = () =>
    sql`update pgboss.job set start_after = now() where state < 'active' and start_after > now()
      and name in ('deliver', 'digest', 'trigger')`.execute(engine.app.db);

  async function eventually<T>(what: string, ask: () => Promise<T | undefined | false | null>): Promise<T> {
    return engine.waitFor(what, async () => {
      await hurry();
      return ask();
    });
  }

  /** A person on a plan, with a watched page; linked to a chat and to Discord where asked for. */
  async function person(
    options: { plan?: "basic" | "ultimate"; telegram?: boolean; discord?: boolean } = {},
  ) {
    const { plan = "ultimate" } = options;
    const one = await engine.person(plan);
    const chat = String(++chats);
    if (options.telegram) {
      await telegram.say(chat, `/addtoken ${await botToken()}`);
      await telegram.message(chat);
      await engine.mailTo(one.email);
    }
    if (options.discord) await one.call("PUT", "/api/me/channels/discord", { url: discord.webhook });

    async function botToken(): Promise<string> {
      const me = await one.call("GET", "/api/me");
      const tokens = me.body.UserBotToken as unknown as { telegramPrivateToken: string }[];
      return String(tokens[0]?.telegramPrivateToken);
    }
    /** Checks a job whose page has just changed. */
    async function change(jobId: string, text: string) {
      engine.site.page.html = html(...story, text);
      return one.run(jobId);
    }
    async function createJob(input: object = {}, page = html(...story)) {
      engine.site.page.html = page;
      const id = await one.createJob(input);
      await one.execution(id, 1);
      return id;
    }
    const detail = async (jobId: string, executionId: string) =>
      (await one.call("GET", `/api/jobs/${jobId}/executions/${executionId}`)).body as unknown as {
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
    const told = (jobId: string, executionId: string) =>
      eventually("all deliveries", async () => {
        const { deliveries } = await detail(jobId, executionId);
        const isOver = deliveries.every(({ state }) => state === "sent" || state === "failed");
        return deliveries.length > 0 && isOver && deliveries;
      });
    const feed = async () =>
      (await one.call("GET", "/api/notifications")).body.notifications as unknown as {
        kind: string;
        title: string;
        message: string;
      }[];
    const alerts = async () =>
      (await engine.mailsTo(one.email)).filter((mail) => !/account|linked/.test(mail.subject));
    return { ...one, chat, botToken, change, createJob, detail, told, feed, alerts };
  }

  /** Forgets what was received and undoes what an earlier test file arranged. */
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
    until: <T>(what: string, seconds: number, ask: () => Promise<T | undefined | false | null>) =>
      until(what, ask, seconds),
    async close() {
      await stopBot();
      await engine.close();
      await Promise.all([telegram.close(), discord.close(), hook.close()]);
    },
  };
}

/** The same with every chat that an address leads to. */
export async function startChats() {
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
