import { expect, test } from "vitest";
import { runFaults } from "./faults/run-faults.ts";
import { short } from "./faults/short.ts";

test("no change and no message is lost when each kind of process is killed and each outage happens", {
  timeout: 240_000,
}, async () => {
  const log: string[] = [];
  const findings = await runFaults(short, (line) => log.push(line));
  expect(findings).toMatchObject({
    notAlerted: 0,
    mailsLost: 0,
    capturesLost: 0,
    deadLetters: 0,
    endedByThemselves: [],
    kills: { api: 1, scheduler: 1, worker: 1, chromium: 1, postgres: 1 },
  });
  expect(findings.changes).toBeGreaterThan(5);
  expect(findings.mails).toBeGreaterThan(0);
  expect(findings.notifications).toBeGreaterThanOrEqual(findings.changes);
  expect(findings.twice).toBeLessThanOrEqual(5);
});
