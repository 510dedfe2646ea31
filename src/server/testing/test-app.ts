import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { hashPassword } from "#accounts/passwords.ts";
import { openSession } from "#accounts/session.ts";
import { newBotToken } from "#accounts/sign-up.ts";
import { type OpenDetector, openDetector } from "#checks/open-detector.ts";
import { listMailIds, readMail, type StoredMail } from "#delivery/mailbox.ts";
import type { QueueTuning } from "#queue/queue.ts";
import { activateAccount, insertAccount, updateAccount } from "#storage/accounts.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { createApi } from "../api.ts";
import { compose } from "../compose.ts";
import { readConfig } from "../config.ts";
import { startDuties } from "../start-duties.ts";

type Answer = { status: number; body: Record<string, never>; headers: Record<string, unknown>; raw: Buffer };
type Plan = "basic" | "professional" | "ultimate";
type Options = { token?: string; cookie?: string; headers?: Record<string, string>; ip?: string };

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
/** Nobody closes what others use: it ends with the worker. */
export type SharedApp = Omit<TestApp, "close">;

const password = "correct1!";
// Hashed once for a worker: the hash is made to be slow.
let passwordHash: Promise<string> | undefined;

const detectors = new Map<number, OpenDetector>();
/**
 * The detection threads that all products of a worker share: one that is new needs a second of processor time before its
 * first check is done. They end with the worker.
 */
function sharedDetector(size: number): OpenDetector {
  const detector = detectors.get(size) ?? openDetector(size);
  detectors.set(size, detector);
  return { ...detector, close: async () => {} };
}

let shared: Promise<TestApp> | undefined;

/** The product without its engine that all test files of a worker share; each test makes its own account. */
export function sharedApp(): Promise<SharedApp> {
  shared ??= startTestApp();
  return shared;
}

/** The product on a database of its own, called by injection; only its mails leave it, into a folder. */
export async function startTestApp(
  environment: Record<string, string> = {},
  reuse?: string,
  tuning: QueueTuning = {},
) {
  const copied = reuse ? undefined : await copyDatabase();
  const connectionString = reuse ?? copied?.connectionString ?? "";
  const folder = await mkdtemp(join(copied?.scratch ?? tmpdir(), "watchglass-app-"));
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
  const app = await compose(config, logger, { pollSeconds: 0.5, ...tuning }, sharedDetector);
  // What captures is started by the tests that need it.
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
  // Each is read once: to read all of them at each look was a third of what the settings' tests compute.
  async function mailsTo(address: string): Promise<StoredMail[]> {
    const ids = await listMailIds(mailbox);
    for (const id of ids) if (!mails.has(id)) mails.set(id, await readMail(mailbox, id));
    return ids
      .flatMap((id) => mails.get(id) ?? [])
      .filter(({ to }) => to.toLowerCase() === address.toLowerCase());
  }

  /** Waits for the nth mail to an address, oldest first. */
  async function mailTo(address: string, nth = 1): Promise<StoredMail> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const found = (await mailsTo(address))[nth - 1];
      if (found) return found;
      await sleep(50);
    }
    throw new Error(`mail ${nth} to ${address} did not come`);
  }

  const countMailsTo = async (address: string) => (await mailsTo(address)).length;

  let number = 0;
  function newPerson() {
    number++;
    const email = `person-${number}-${Math.random().toString(36).slice(2)}@example.com`;
    return { firstname: "Ana", surname: "Ćosić", email, password };
  }

  /** An activated account on a plan with an open session, written as rows: no mail is sent. */
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

  /** Signs a new person up by the calls and the mail; activated and signed in unless told otherwise. */
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
    async close(keepDatabase = false) {
      await server.close();
      await app.close();
      if (!keepDatabase) await copied?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The token at the end of a mail's link. */
export function linkToken(mail: StoredMail): string {
  const token = /\/(?:activate|recover)\/([\w-]+)/.exec(mail.text)?.[1];
  if (!token) throw new Error("the mail has no link");
  return token;
}
