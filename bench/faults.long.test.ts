import { expect, test } from "vitest";
import { runFaults } from "./faults/run-faults.ts";
import { short } from "./faults/short.ts";

test("a kill of every process and every outage lose no change and no message", {
  timeout: 240_000,
}, async () => {
  const said: string[] = [];
  const found = await runFaults(short, (line) => said.push(line));
  expect(found).toMatchObject({
    notTold: 0,
    mailsLost: 0,
    capturesLost: 0,
    deadLetters: 0,
    endedByThemselves: [],
    kills: { api: 1, scheduler: 1, worker: 1, chromium: 1, postgres: 1 },
  });
  expect(found.changes).toBeGreaterThan(5);
  expect(found.mails).toBeGreaterThan(0);
  expect(found.notifications).toBeGreaterThanOrEqual(found.changes);
  expect(found.twice).toBeLessThanOrEqual(5);
});
