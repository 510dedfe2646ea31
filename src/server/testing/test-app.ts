import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { hashPassword } from "#accounts/passwords.ts";
import { openSession } from "#accounts/session.ts";
import { newBotToken } from "#accounts/sign-up.ts";
import { type OpenDetector, openDetector } from "#checks/detection-threads/open-detector.ts";
import { listMailIds, readMail, type StoredMail } from "#mail/mailbox.ts";
import type { QueueTuning } from "#queue/queue.ts";
import { composeReport } from "#reports/compose-report.ts";
import type { MakeReport } from "#reports/run-report-process.ts";
import { activateAccount, insertAccount, updateAccount } from "#storage/accounts.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { createApi } from "../api.ts";
import type { App } from "../app.ts";
import { startDuties } from "../background-tasks/start-duties.ts";
import { readConfig } from "../config.ts";
import { compose } from "../startup/compose.ts";

type Answer = { status: number; body: Record<string, never>; headers: Record<string, unknown>; raw: Buffer };
type Plan = "basic" | "professional" | "ultimate";
type Options = { token?: string; cookie?: string; headers?: Record<string, string>; ip?: string };

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
/** A test must not close the app that others use too: it ends with the test worker. */
export type SharedApp = Omit<TestApp, "close">;

const password = "correct1!";
// Hashed once per test worker, because the hash is slow by design.
let passwordHash: Promise<string> | undefined;

const detectors = new Map<number, OpenDetector>();
/**
 * The detection threads that all apps of a test worker share, because a new thread needs a second of processor time
 * before its first check is done. They end with the test worker.
 */
function sharedDetector(size: number): OpenDetector {
  const detector = detectors.get(size) ?? openDetector(size);
  detectors.set(size, detector);
  return { ...detector, close: async () => {} };
}

/** Without the process that the product starts for each report: it needs two seconds of processor time. */
async function makeReportHere({ alerts }: App, order: Parameters<MakeReport>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-drawing-"));
  try {
    await composeReport(alerts, { ...order, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let sharedTestApp: Promise<TestApp> | undefined;

/** The app without its engine, shared by all test files of a test worker; each test creates its own account. */
export function sharedApp(): Promise<SharedApp> {
  sharedTestApp ??= startTestApp();
  return sharedTestApp;
}

/** Starts the product on its own database. Calls are injected; only mails leave it, into a folder. */
export async function startTestApp(
  environment: Record<string, string> = {},
  existingConnectionString?: string,
  tuning: QueueTuning = {},
) {
  const databaseCopy = existingConnectionString ? undefined : await copyDatabase();
  const connectionString = existingConnectionString ?? databaseCopy?.connectionString ?? "";
  const folder = await mkdtemp(join(databaseCopy?.scratch ?? tmpdir(), "watchglass-app-"));
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: connectionString.replace("@/", "@localhost/"),
    LOG_LEVEL: "trace",
    SESSION_SECRET: "0123456789abcdef0123456789abcdef",
    DATA_KEY: "fedcba9876543210fedcba9876543210",
    SIGN_UP_PER_HOUR: "1000",
    ...environment,
  });
  const log: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line) => void log.push(line) });
  const app = await compose(config, logger, tuning, sharedDetector);
  app.makeReport = (order) => makeReportHere(app, order);
  // Tests that need captures start the capture worker themselves.
  await startDuties(app, ({ role, name }) => role === "worker" && name !== "execute");
  const server = await createApi(app);

  async function call(method: string, url: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const response = await server.inject({
      method: method as "GET",
      url,
      remoteAddress: options.ip ?? "192.0.2.1",
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.cookie ? { cookie: `session=${options.cookie}` } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { payload: body as InjectOptions["payload"] }),
    } as InjectOptions);
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      body: isJson ? response.json() : {},
      headers: response.headers,
      raw: response.rawPayload,
    };
  }

  const mailbox = join(folder, "mailbox");
  const mails = new Map<string, StoredMail | undefined>();
  // Each mail is read once: reading all of them at every poll took a third of the settings tests' processor time.
  async function mailsTo(address: string): Promise<StoredMail[]> {
    const ids = await listMailIds(mailbox);
    for (const id of ids) if (!mails.has(id)) mails.set(id, await readMail(mailbox, id));
    return ids
      .flatMap((id) => mails.get(id) ?? [])
      .filter(({ to }) => to.toLowerCase() === address.toLowerCase());
  }

  /** Waits for the nth mail to an address, oldest first. */
  async function mailTo(address: string, nth = 1): Promise<StoredMail> {
    const end = performance.now() + 120_000;
    while (performance.now() < end) {
      const mail = (await mailsTo(address))[nth - 1];
      if (mail) return mail;
      await sleep(50);
    }
    throw new Error(`mail ${nth} to ${address} did not come`);
  }

  const countMailsTo = async (address: string) => (await mailsTo(address)).length;

  let personCount = 0;
  function newPerson() {
    personCount++;
    const email = `person-${personCount}-${Math.random().toString(36).slice(2)}@example.com`;
    return { firstname: "Ana", surname: "Ćosić", email, password };
  }

  /** Inserts an activated account with a plan and an open session into the database; no mail is sent. */
  async function addAccount(plan: Plan = "basic") {
    const { password: _, ...person } = newPerson();
    passwordHash ??= hashPassword(password);
    const row = { ...person, password_hash: await passwordHash, ...newBotToken(app.accounts) };
    const account = await insertAccount(app.db, row);
    if (!account) throw new Error("the address is taken");
    await activateAccount(app.db, account.id);
    await updateAccount(app.db, account.id, { plan_id: plan });
    await addAuditEntry(app.db, account.id, { action: "signed-in", address: "192.0.2.1" });
    return { ...person, password, accountId: account.id, token: await openSession(app.accounts, account.id) };
  }

  /** Signs up a new person through the API and the mail; activates the account and signs in if `activate` is true. */
  async function signUp({ activate = true } = {}) {
    const person = newPerson();
    await call("POST", "/api/auth/register", person);
    const token = linkToken(await mailTo(person.email));
    if (!activate) return { ...person, token: "", activation: token };
    await call("GET", `/api/registration/activate/${token}`);
    const answer = await call("POST", "/api/auth/login", { email: person.email, password: person.password });
    return { ...person, token: String(answer.body.token), activation: token };
  }

  return {
    app,
    server,
    log,
    connectionString,
    call,
    mailTo,
    countMailsTo,
    mailsTo,
    signUp,
    addAccount,
    async close(keepDatabase = false, beforeDrop = async () => {}) {
      await server.close();
      await app.close();
      await beforeDrop();
      if (!keepDatabase) await databaseCopy?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The token at the end of the activation or recovery link in a mail. */
export function linkToken(mail: StoredMail): string {
  const token = /\/(?:activate|recover)\/([\w-]+)/.exec(mail.text)?.[1];
  if (!token) throw new Error("the mail has no link");
  return token;
}
