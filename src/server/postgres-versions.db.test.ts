import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openQueue } from "#queue/queue.ts";
import { awaitDatabase } from "#storage/await-database.ts";
import { openDatabase } from "#storage/database.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { findSystemPostgres, startSystemPostgres } from "#storage/testing/system-postgres.ts";

const oldest = [15, 16, 17].flatMap((version) => findSystemPostgres(version) ?? []).slice(0, 1);

// A change is found and alerted on every version by postgres-versions.long.test.ts.
test.for(oldest)(
  "migrations, the queue and sortable ids work on the oldest installed PostgreSQL, %s",
  async (binaries) => {
    const postgres = await startSystemPostgres(binaries);
    await migrate(postgres.connectionString);
    const { db, close } = openDatabase(postgres.connectionString, { onError: () => undefined });
    const queue = await openQueue(postgres.connectionString, { supervise: false });
    try {
      expect(await queue.ready()).toBe(true);
      const ids: string[] = [];
      for (let i = 0; i < 20; i++) {
        const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db);
        ids.push(rows[0]?.id ?? "");
      }
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(20);
    } finally {
      await queue.close();
      await close();
      await postgres.stop();
    }
  },
);

/** Speaks PostgreSQL's wire protocol and reports version 14. */
function answerAsPostgres14(socket: Socket): void {
  const message = (type: string, ...parts: (string | number[] | Buffer)[]) => {
    const body = Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : Buffer.from(part))),
    );
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    socket.write(Buffer.concat([Buffer.from(type), length, body]));
  };
  const ready = () => message("Z", [0x49]);
  const column = (name: string, type: number) => [
    name,
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, type, 255, 255, 255, 255, 255, 255, 0, 0]),
  ];
  const value = (text: string) => [[0, 0, 0, text.length], Buffer.from(text)];
  socket.on("error", () => undefined);
  socket.on("data", (request) => {
    if (request[0] === 0) {
      message("R", [0, 0, 0, 0]);
      return ready();
    }
    if (request[0] !== "Q".charCodeAt(0)) return;
    message("T", [0, 2], ...column("number", 23), ...column("name", 25));
    message("D", [0, 2], ...value("140011"), ...value("14.11 (Debian 14.11-1)"));
    message("C", "SELECT 1");
    ready();
  });
}

test("an older PostgreSQL is refused with a message that names both versions", async () => {
  const server = createServer(answerAsPostgres14).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await expect(awaitDatabase(`postgres://a@127.0.0.1:${port}/b`)).rejects.toThrow(
    "DATABASE_URL leads to PostgreSQL 14.11; Watchglass needs 15 or later.",
  );
  server.close();
});

/** A server that ends each connection with this error code, in PostgreSQL's wire protocol. */
async function startRefusingServer(code: string, message: string) {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => socket.end(Buffer.concat([Buffer.from("E"), length, body])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { url: `postgres://a@127.0.0.1:${port}/b`, close: () => server.close() };
}

test("awaitDatabase waits for a database that was just killed, but not for one that refuses the login", async () => {
  const killed = await startRefusingServer(
    "57P01",
    "terminating connection due to unexpected postmaster exit",
  );
  const rejecting = await startRefusingServer("28P01", "password authentication failed");
  await expect(awaitDatabase(killed.url, { patienceMs: 30 })).rejects.toThrow("no database answered for 0 s");
  await expect(awaitDatabase(rejecting.url)).rejects.toThrow(
    "DATABASE_URL: the database refuses us (password authentication failed).",
  );
  killed.close();
  rejecting.close();
});

test("awaitDatabase waits for a missing database, reports the wait once, then gives up with a message", async () => {
  const reasons: string[] = [];
  const unreachableUrl = "postgres://a@127.0.0.1:1/b";
  await expect(
    awaitDatabase(unreachableUrl, { patienceMs: 30, onWait: (reason) => void reasons.push(reason) }),
  ).rejects.toThrow(/^DATABASE_URL: no database answered for 0 s \(.*ECONNREFUSED.*\)\.$/);
  expect(reasons).toHaveLength(1);
});
