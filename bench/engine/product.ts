import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { listMails } from "#mail/mailbox.ts";
import { openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { productFlags } from "../product-flags.ts";

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** The whole product in its own process, on its own embedded PostgreSQL. */
export async function startProduct(environment: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-bench-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder);
  const { db, close } = openDatabase(postgres.connectionString);
  const port = await freePort();
  const children: ChildProcess[] = [];

  async function start(extra: Record<string, string>): Promise<ChildProcess> {
    const child = spawn(process.execPath, [...productFlags, "src/server/main.ts"], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        UV_THREADPOOL_SIZE: "16",
        NODE_COMPILE_CACHE: "node_modules/.cache/watchglass/compiled",
        MALLOC_MMAP_THRESHOLD_: "1048576",
        DATA_DIR: folder,
        MAIL_DIR: join(folder, "mailbox"),
        DATABASE_URL: postgres.connectionString.replace("@/", "@localhost/"),
        EGRESS_ALLOW: "127.0.0.0/8",
        LOG_LEVEL: "warn",
        SIGN_UP_PER_HOUR: "1000",
        ...(process.env.CHROMIUM_PATH && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
        ...environment,
        ...extra,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes("Stop it with")) break;
    child.stdout?.resume();
    return child;
  }
  const child = await start({});

  async function account(): Promise<string> {
    const id = randomUUID();
    await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash, plan_id)
      values (${id}, ${id}, ${id}, 'A', 'B', '', '', decode(replace(${id}, '-', ''), 'hex'), 'ultimate')`.execute(
      db,
    );
    await sql`insert into groups (id, account_id, name) values (${id}, ${id}, 'G')`.execute(db);
    return id;
  }

  /** Creates jobs that aren't due yet. */
  async function jobs(accountId: string, targets: { host: string; path: string }[]): Promise<string[]> {
    const { rows: groups } = await sql<{
      id: string;
    }>`select id from groups where account_id = ${accountId} limit 1`.execute(db);
    const { rows } = await sql<{ id: string }>`
      insert into jobs (account_id, group_id, name, url, host, frequency_minutes, ignore, status)
      select ${accountId}, ${groups[0]?.id}, gen_random_uuid()::text, 'http://' || host || path, split_part(host, ':', 1), 43200, '[]', 'PAUSED'
      from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as target (host text, path text)
      returning id`.execute(db);
    const ids = rows.map(({ id }) => id);
    await sql`update schedules set next_run_at = now() + interval '30 days' where job_id = any(${ids}::uuid[])`.execute(
      db,
    );
    await sql`update jobs set status = 'ACTIVE' where id = any(${ids}::uuid[])`.execute(db);
    return ids;
  }

  /** Copies a job as its last check left it, for pages that prove by HTTP that they are unchanged. */
  async function clone(jobId: string, count: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      with added as (
        insert into jobs (account_id, group_id, name, url, host, frequency_minutes, ignore, baseline_id, last_execution_id)
        select account_id, group_id, gen_random_uuid()::text, url, 'host-' || i, frequency_minutes, ignore, null, null
        from jobs, generate_series(1, ${count}) as i where id = ${jobId} returning id
      ) select id from added`.execute(db);
    const ids = rows.map(({ id }) => id);
    await sql`update schedules set next_run_at = now() + interval '30 days' where job_id = any(${ids}::uuid[])`.execute(
      db,
    );
    await sql`insert into executions (job_id, account_id, number, status_code, summary, via, duration_ms, attempts, html, body, facts, picture)
      select job.id, account_id, 1, status_code, summary, via, duration_ms, attempts, html, body, facts, picture
      from executions, unnest(${ids}::uuid[]) as job (id) where job_id = ${jobId}`.execute(db);
    await sql`update jobs set baseline_id = executions.id, executions = 1 from executions
      where executions.job_id = jobs.id and jobs.id = any(${ids}::uuid[])`.execute(db);
    await sql`insert into job_memories select job.id, memory, evidence from job_memories, unnest(${ids}::uuid[]) as job (id)
      where job_id = ${jobId}`.execute(db);
    return ids;
  }

  const executions = async (ids: string[]) => {
    const { rows } = await sql<{
      count: number;
    }>`select coalesce(sum(executions), 0)::integer as count from jobs where id = any(${ids}::uuid[])`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  };

  /** Makes jobs due in a moment by their schedule, waits until they are, and returns that time. */
  async function due(ids: string[]): Promise<number> {
    const { rows } = await sql<{ at: Date }>`update schedules set next_run_at = now() + interval '1.5 seconds'
      where job_id = any(${ids}::uuid[]) returning next_run_at as at`.execute(db);
    const at = rows[0]?.at.getTime() ?? Date.now();
    await sleep(at - Date.now());
    return at;
  }

  /** Asked first, because counting the executions of many jobs costs the database as much as tens of checks. */
  const isWorking = async () => {
    const { rows } =
      await sql`select from pgboss.job where name = 'execute' and state < 'completed' limit 1`.execute(db);
    return rows.length > 0;
  };

  /** Makes jobs due and returns how many were checked per second from then on. */
  async function drain(ids: string[], timeoutSeconds = 600): Promise<number> {
    const before = await executions(ids);
    const at = await due(ids);
    while ((await isWorking()) || (await executions(ids)) < before + ids.length) {
      if (Date.now() - at > timeoutSeconds * 1000) throw new Error("the checks did not finish in time");
      // Asking more often would cost as much as what is measured.
      await sleep(200);
    }
    const { rows } = await sql<{
      at: Date;
    }>`select max(created_at) as at from executions where job_id = any(${ids}::uuid[])`.execute(db);
    return (ids.length / ((rows[0]?.at.getTime() ?? Date.now()) - at)) * 1000;
  }

  const call = async (path: string, body?: unknown, token?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body
        ? { method: path.startsWith("/api/settings") ? "PATCH" : "POST", body: JSON.stringify(body) }
        : {}),
      headers: {
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
    return (await response.json().catch(() => ({}))) as Record<string, unknown>;
  };

  /** Signs up an account with a session, the way a person does. */
  async function signUp() {
    const email = `${randomUUID()}@example.com`;
    const password = "correct1!";
    await call("/api/auth/register", { firstname: "Ana", surname: "B", email, password });
    for (let i = 0; i < 100; i++) {
      const mail = (await listMails(join(folder, "mailbox"))).find(({ to }) => to === email);
      const activationToken = mail && /\/activate\/([\w-]+)/.exec(mail.text)?.[1];
      if (activationToken) {
        await call(`/api/registration/activate/${activationToken}`);
        const { token } = await call("/api/auth/login", { email, password });
        await sql`update accounts set plan_id = 'ultimate' where email = ${email}`.execute(db);
        await call("/api/jobs/groups", { name: "Group" }, String(token));
        const me = await call("/api/me", undefined, String(token));
        return { token: String(token), id: String(me.id), me };
      }
      await sleep(100);
    }
    throw new Error("no activation mail arrived");
  }

  return {
    db,
    child,
    start,
    account,
    jobs,
    clone,
    due,
    drain,
    executions,
    call,
    signUp,
    async close() {
      for (const running of children) running.kill("SIGTERM");
      await Promise.all(
        children.filter(({ exitCode }) => exitCode === null).map((running) => once(running, "exit")),
      );
      await close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
