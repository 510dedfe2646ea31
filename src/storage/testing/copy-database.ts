import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

type Copied = {
  connectionString: string;
  /** A folder for what tests write; it is removed after the run. */
  scratch: string;
  drop(): Promise<void>;
};

/** A copy of the migrated template for the caller alone, or of an empty one, dropped by `drop`. */
export async function copyDatabase(from: "watchglass" | "template0" = "watchglass"): Promise<Copied> {
  const template = new URL(inject("postgres").replace("@/", "@socket/"));
  const name = `test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: at(template, "postgres") });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name} template ${from} strategy file_copy`);
  return {
    connectionString: at(template, name),
    scratch: inject("scratch"),
    drop: () => run(`drop database ${name} with (force)`),
  };
}

function at(template: URL, name: string): string {
  const url = new URL(template);
  url.pathname = `/${name}`;
  return url.href.replace("@socket/", "@/");
}
