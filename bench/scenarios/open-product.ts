import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { startTelegramServer } from "#channels/testing/telegram-server.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import type { ExecutionDetail } from "#contract/job.ts";
import { startCaptureWorker } from "#server/background-tasks/start-capture-worker.ts";
import { startTelegram } from "#telegram-bot/start-telegram-bot.ts";

export type Product = Awaited<ReturnType<typeof openProduct>>;
export type Person = Awaited<ReturnType<Product["person"]>>;

const secondsPerCheck = 120;

/** The product as it is started, with its browser, on a migrated database; only Telegram is replaced. */
export async function openProduct(concurrency: number, database: string) {
  const telegram = await startTelegramServer();
  const engine = await startTestEngine({
    capturing: false,
    database,
    concurrency,
    environment: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
      LOG_LEVEL: "warn",
    },
  });
  const stopBot = startTelegram(engine.app);
  const stopCapturing = await startCaptureWorker(engine.app, { confirmAfterMs: 200 });
  let chats = 1000;

  let lastSignUp: Promise<unknown> = Promise.resolve();
  /** A person who gets alerts only by Telegram; people sign up one by one, so that their mails arrive in time. */
  function person(): ReturnType<typeof signUp> {
    const next = lastSignUp.then(signUp, signUp);
    lastSignUp = next;
    return next;
  }

  async function signUp() {
    const account = await engine.person();
    const chat = String(++chats);
    const me = await account.call("GET", "/api/me");
    const [bot] = me.body.UserBotToken as unknown as { telegramPrivateToken: string }[];
    await telegram.say(chat, `/addtoken ${bot?.telegramPrivateToken}`);
    await telegram.message(chat);
    await account.call("PATCH", "/api/settings/notifications", {
      emailNotifications: false,
      combineAlerts: false,
    });

    const newest = async (jobId: string) => {
      const { body } = await account.call("GET", `/api/jobs/${jobId}/executions?limit=1`);
      return body as unknown as { total: number; executions: { id: string }[] };
    };
    const detail = async (jobId: string, id: string) =>
      (await account.call("GET", `/api/jobs/${jobId}/executions/${id}`)).body as unknown as ExecutionDetail;
    /** Waits for the nth check of a job and returns it. */
    async function check(jobId: string, nth: number): Promise<ExecutionDetail> {
      for (let waited = 0; waited < secondsPerCheck * 10; waited++) {
        const { total, executions } = await newest(jobId);
        if (total >= nth) return detail(jobId, executions[0]?.id ?? "");
        await sleep(100);
      }
      throw new Error(`check ${nth} did not end within ${secondsPerCheck} s`);
    }
    return {
      chat,
      createJob: account.createJob,
      check,
      detail,
      runNow: (jobId: string) => account.call("POST", `/api/jobs/${jobId}/run`),
    };
  }

  /** Sends all delayed messages, until none is left. */
  async function deliverAll(): Promise<void> {
    for (let waited = 0; waited < 600; waited++) {
      await sql`update pgboss.job set start_after = now() where state < 'active' and start_after > now()
        and name in ('announce', 'deliver', 'digest')`.execute(engine.app.db);
      const { rows } = await sql<{ left: string }>`select count(*) as left from pgboss.job
        where state <= 'active' and name in ('announce', 'deliver', 'digest')`.execute(engine.app.db);
      if (Number(rows[0]?.left) === 0) return;
      await sleep(200);
    }
  }

  return {
    telegram,
    person,
    deliverAll,
    async close() {
      await stopBot();
      await engine.close();
      await stopCapturing();
      await telegram.close();
    },
  };
}
