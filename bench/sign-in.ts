// A5: known and unknown addresses take the same time, and so do other accounts' ids and ids that don't exist, and a
// search for what another account has. Compares the medians of interleaved attempts as a ratio.
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { openSession } from "#accounts/session.ts";
import { newBotToken } from "#accounts/sign-up.ts";
import { createApi } from "#server/api.ts";
import { readConfig } from "#server/config.ts";
import { compose } from "#server/startup/compose.ts";
import { activateAccount, insertAccount } from "#storage/accounts.ts";

const TRIES = 100;
const folder = await mkdtemp(join(tmpdir(), "watchglass-bench-"));
await chmod(folder, 0o711);
const limits = {
  SIGN_UP_PER_HOUR: "100000",
  RATE_LIMIT_PER_MINUTE: "1000000",
  EGRESS_ALLOW: "127.0.0.0/8",
};
const app = await compose(readConfig({ DATA_DIR: folder, ...limits }), pino({ level: "silent" }));
const server = await createApi(app);
const password = "correct1!";

let callers = 0;
async function call(method: "GET" | "POST", url: string, payload?: object, token?: string) {
  // Each call comes from its own address, because one caller may not call that often.
  callers++;
  const remoteAddress = `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const options: InjectOptions = { method, url, remoteAddress, headers, ...(payload && { payload }) };
  const start = performance.now();
  const response = await server.inject(options);
  return { ms: performance.now() - start, response };
}
const time = async (...asked: Parameters<typeof call>) => (await call(...asked)).ms;

const person = () => ({ firstname: "A", surname: "B", email: `${randomUUID()}@example.com`, password });
const known = Array.from({ length: TRIES }, person);
for (const account of known) await time("POST", "/api/auth/register", account);

async function openAccount() {
  const { firstname, surname, email } = person();
  const row = { firstname, surname, email, password_hash: "", ...newBotToken(app.accounts) };
  const account = await insertAccount(app.db, row);
  if (!account) throw new Error("the address is taken");
  await activateAccount(app.db, account.id);
  return { id: account.id, token: await openSession(app.accounts, account.id) };
}
const [stranger, owner] = [await openAccount(), await openAccount()];
const { response: group } = await call("POST", "/api/jobs/groups", { name: "G" }, owner.token);
const job = {
  name: "Watched",
  url: "http://127.0.0.1:9/",
  frequency: 60,
  groupId: group.json<{ id: string }>().id,
};
const { response: created } = await call("POST", "/api/jobs/create", job, owner.token);
const jobId = created.json<{ job: { id: string } }>().job.id;
await sql`
  insert into page_blocks (account_id, hash, kind, text)
  select ${owner.id}::uuid, uuid_send(gen_random_uuid()), 'text', 'A secret merger of harbors ' || n
  from generate_series(1, 20000) as n union all
  select ${stranger.id}::uuid, uuid_send(gen_random_uuid()), 'text', 'A ferry timetable of harbors ' || n
  from generate_series(1, 20000) as n`.execute(app.db);
await sql`vacuum analyze page_blocks`.execute(app.db);

const foreign = (url: (id: string) => string) => [
  () => time("GET", url(jobId), undefined, stranger.token),
  () => time("GET", url(randomUUID()), undefined, stranger.token),
];
const byAddress = (path: string, body: (email: string) => object) => [
  (email: string) => time("POST", path, body(email)),
  () => time("POST", path, body(`${randomUUID()}@example.com`)),
];
const search = (q: string) => () =>
  time("GET", `/api/search?q=${encodeURIComponent(q)}`, undefined, stranger.token);
const calls: Record<string, ((email: string) => Promise<number>)[]> = {
  "sign in": byAddress("/api/auth/login", (email) => ({ email, password: "wrong-12!" })),
  recover: byAddress("/api/recover", (email) => ({ email })),
  "sign up": byAddress("/api/auth/register", (email) => ({ ...person(), email })),
  "another account's job": foreign((id) => `/api/jobs/${id}`),
  "another account's executions": foreign((id) => `/api/jobs/${id}/executions`),
  "another account's search": foreign((id) => `/api/search?q=merger&jobId=${id}`),
  "a search for another account's lines": [search("secret merger"), search("quizzical xylophone")],
};
for (const [name, [askKnown, askUnknown]] of Object.entries(calls)) {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (const { email } of known) {
    times.known.push((await askKnown?.(email)) ?? Number.NaN);
    times.unknown.push((await askUnknown?.(email)) ?? Number.NaN);
  }
  const ratio = median(times.known) / median(times.unknown);
  const verdict = ratio > 0.85 && ratio < 1.15 ? "ok" : "TOO FAR APART";
  console.log(
    `${name.padEnd(38)} known ${median(times.known).toFixed(1)} ms, unknown ${median(times.unknown).toFixed(1)} ms, ratio ${ratio.toFixed(2)} ${verdict}`,
  );
}
await server.close();
await app.close();
await rm(folder, { recursive: true, force: true });

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
