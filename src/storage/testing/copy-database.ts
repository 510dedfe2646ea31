import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

type DatabaseCopy = {
  connectionString: string;
  /** A folder for what tests write; it is removed after the run. */
  scratch: string;
  drop(): Promise<void>;
};

/** A copy of the migrated template, or of an empty database, for the caller alone; `drop` removes it. */
export async function copyDatabase(from: "watchglass" | "template0" = "watchglass"): Promise<DatabaseCopy> {
  const template = new URL(inject("postgres").replace("@/", "@socket/"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const withClient = async (use: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: urlOf(template, "postgres") });
    await client.connect();
    try {
      await use(client);
    } finally {
      await client.end();
    }
  };
  await withClient((client) => client.query(`create database ${name} template ${from} strategy file_copy`));
  return {
    connectionString: urlOf(template, name),
    scratch: inject("scratch"),
    drop: () =>
      withClient(async (client) => {
        // A closed pool's connections end a moment later. If PostgreSQL ended them, their error would be unhandled.
        for (let attempt = 0; attempt < 20; attempt++) {
          const connections = await client.query("select from pg_stat_activity where datname = $1", [name]);
          if (connections.rowCount === 0) break;
          await sleep(25);
        }
        await client.query(`drop database ${name} with (force)`);
      }),
  };
}

function urlOf(template: URL, name: string): string {
  const url = new URL(template);
  url.pathname = `/${name}`;
  return url.href.replace("@socket/", "@/");
}
