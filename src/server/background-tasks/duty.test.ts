import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import type { App } from "../app.ts";
import { clock } from "./duty.ts";

function appWithLog() {
  const log: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void log.push(line) });
  return { app: { logger } as unknown as App, log };
}

test("a clock whose work takes longer than its interval never runs it twice at once", async () => {
  let running = 0;
  let maxRunning = 0;
  let rounds = 0;
  const duty = clock("slow", 1, "it failed", async () => {
    maxRunning = Math.max(maxRunning, ++running);
    await sleep(20);
    running--;
    rounds++;
  });
  const stop = await duty.start(appWithLog().app);
  while (rounds < 3) await sleep(5);
  await stop();
  expect(maxRunning).toBe(1);
  expect(running).toBe(0);
});

test("a clock that keeps failing logs it once, keeps running, and logs the first failure after a success", async () => {
  const { app, log } = appWithLog();
  let round = 0;
  const duty = clock("flaky", 1, "it failed", async () => {
    if ([1, 2, 4].includes(++round)) throw new Error("no");
  });
  const stop = await duty.start(app);
  while (round < 5) await sleep(5);
  await stop();
  expect(log.filter((line) => line.includes("it failed"))).toHaveLength(2);
});
