import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { BrowserPool } from "#capture/browser-pool.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { type Config, listensOnLoopback, readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { isLoopback } from "#server/request-handling/origin-of-call.ts";
import { prepareDataDir } from "#server/startup/data-dir.ts";
import { openCaptureStore } from "#server/startup/open-capture-store.ts";
import { mailFolderOf, openMailer } from "#server/startup/open-mailer.ts";
import { databaseClock } from "#storage/figures.ts";
import { doneMigrations, migrationNames } from "#storage/migrations/migrate.ts";
import { askBotName } from "#telegram-bot/telegram-bot.ts";
import { askDatabase, findProduct } from "./open-product.ts";

type Finding = { is: "ok" | "warn" | "bad"; says: string };
const ok = (says: string): Finding => ({ is: "ok", says });
const warn = (says: string): Finding => ({ is: "warn", says });
const bad = (says: string): Finding => ({ is: "bad", says });

/** Runs one check after the other; a failed check doesn't stop the others. */
export async function doctor(): Promise<boolean> {
  let isWell = true;
  const printFinding = ({ is, says }: Finding) => {
    if (is === "bad") isWell = false;
    console.log(`${{ ok: "ok   ", warn: "mind ", bad: "BAD  " }[is]} ${says}`);
  };
  const check = async (what: string, work: () => Promise<Finding[]> | Finding[]) => {
    try {
      for (const finding of await work()) printFinding(finding);
    } catch (error) {
      printFinding(bad(`${what}: ${(error as Error).message.replace(/\.$/, "")}.`));
    }
  };
  const config = readConfig(process.env);
  printFinding(ok(`Node ${process.versions.node} and the settings can be read.`));
  await check("The proxy", () => judgeProxy(config));
  await check("The secrets", () => judgeSecrets(config));
  await check("The folder", async () => [
    ok(`DATA_DIR ${await prepareDataDir(config.dataDir)} can be written.`),
  ]);
  await check("The database", judgeDatabase);
  await check("Captures cannot be stored", async () => {
    await (await openCaptureStore(config, config.dataDir)).probe();
    return [
      ok(
        `Captures can be written to ${config.blobStore ? withoutKeys(config.blobStore) : "DATA_DIR/blobs"}.`,
      ),
    ];
  });
  await check("The mail server doesn’t accept emails", async () => {
    const mailer = openMailer(config, config.dataDir);
    await mailer.probe().finally(() => mailer.close());
    return [
      config.smtpUrl
        ? ok("The mail server accepts our connection.")
        : warn(`Emails stay in ${mailFolderOf(config, "DATA_DIR")}: SMTP_URL isn’t set.`),
    ];
  });
  await check("Telegram doesn’t know the bot", async () => [
    config.telegram
      ? ok(`Telegram knows the bot @${await askBotName(config.telegram)}.`)
      : ok("There is no Telegram bot: TELEGRAM_BOT_TOKEN is not set."),
  ]);
  await check("The browser", () => judgeBrowser(config));
  await check("The disk", () => judgeDisk(config));
  console.log(isWell ? "All is well." : "Something needs your attention.");
  return isWell;
}

const withoutKeys = (url: string) => url.replace(/\/\/[^@/]*@/, "//");

function judgeProxy({ baseUrl, trustedProxies, host, metricsToken }: Config): Finding[] {
  const isHttps = baseUrl.startsWith("https:");
  const isLocal = listensOnLoopback({ host }) && !isHttps;
  if (isLocal) return [ok("Only this machine is served; no proxy is needed.")];
  return [
    isHttps
      ? ok(`${baseUrl} uses TLS.`)
      : bad(`BASE_URL ${baseUrl} is plain http: put a proxy with TLS in front of it.`),
    trustedProxies.length > 0
      ? ok(`Forwarded headers are trusted from ${trustedProxies.join(", ")}.`)
      : warn("TRUSTED_PROXIES is empty: behind a proxy all visitors would count as one."),
    metricsToken
      ? ok("/metrics needs METRICS_TOKEN.")
      : warn(
          isLoopback(baseUrl)
            ? "METRICS_TOKEN is not set: only this machine can read /metrics."
            : "METRICS_TOKEN is not set and BASE_URL is public: nobody can read /metrics.",
        ),
  ];
}

function judgeSecrets({ databaseUrl, sessionSecret, dataKeys, role }: Config): Finding[] {
  if (sessionSecret && dataKeys) return [ok("SESSION_SECRET and DATA_KEY are given.")];
  const says = "SESSION_SECRET and DATA_KEY are kept in DATA_DIR of this machine";
  if (role !== "all") return [bad(`${says}: several processes must share them, so set both.`)];
  return [databaseUrl ? warn(`${says}; set both before a second machine joins.`) : ok(`${says}.`)];
}

async function judgeDatabase(): Promise<Finding[]> {
  const { databaseUrl } = await findProduct();
  return askDatabase(databaseUrl, async (db) => {
    const { version, aheadMs } = await databaseClock(db);
    const seconds = Math.abs(aheadMs / 1000).toFixed(1);
    return [
      ok(`PostgreSQL ${version} answers.`),
      judgeMigrations(await doneMigrations(db)),
      Math.abs(aheadMs) > 2_000
        ? bad(`This machine's clock and the database's differ by ${seconds} s: set both by NTP.`)
        : ok("This machine's clock and the database's agree."),
    ];
  });
}

function judgeMigrations(done: string[]): Finding {
  const names = migrationNames();
  const newer = done.filter((name) => !names.includes(name));
  const behind = names.filter((name) => !done.includes(name)).length;
  if (newer.length > 0)
    return warn(`The database was migrated by a newer version (${newer.at(-1)}): upgrade this one.`);
  if (behind > 0)
    return warn(`${behind} of ${names.length} migrations are pending: the next start applies them.`);
  return ok(`All ${done.length} migrations are applied.`);
}

async function judgeBrowser({
  role,
  chromiumPath,
  captureSandbox: sandbox,
  dataDir,
  egressAllow,
}: Config): Promise<Finding[]> {
  if (role === "api" || role === "scheduler") return [ok(`ROLE ${role} needs no browser.`)];
  const findings: Finding[] = [];
  const logger = {
    info: (_: object, says: string) => void findings.push(ok(says)),
    warn: (_: object, says: string) => void findings.push(warn(says)),
  };
  const guard = createGuard({ allow: egressAllow, logger: createLogger("silent") });
  const gateway = startGateway({ guard, logger: createLogger("silent") });
  try {
    const cacheDir = join(dataDir, "browser");
    const pool = await BrowserPool.open({ gateway, logger, chromiumPath, concurrency: 1, sandbox, cacheDir });
    await pool.close();
    return [ok(`The browser is ${pool.chromiumPath}.`), ...findings];
  } finally {
    await gateway.close();
  }
}

async function judgeDisk({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = (bavail * bsize) / 1e9;
  const says = `${free.toFixed(1)} GB are free where DATA_DIR is`;
  if (free < 1) return [bad(`${says}: too few.`)];
  return [bavail / blocks < 0.1 ? warn(`${says}, less than a tenth.`) : ok(`${says}.`)];
}
