import { spawn } from "node:child_process";
import type { App } from "#server/app.ts";

/** Runs a script as a process of its own on a test's database and files, so that the test can kill it. */
export function spawnWorker(
  script: string,
  { databaseUrl, dataDir, sessionSecret, dataKeys }: App["config"],
  { args = [], environment = {} }: { args?: string[]; environment?: NodeJS.ProcessEnv } = {},
) {
  return spawn(process.execPath, [script, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      EGRESS_ALLOW: "127.0.0.0/8",
      SESSION_SECRET: sessionSecret,
      DATA_KEY: dataKeys?.join(","),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
}
