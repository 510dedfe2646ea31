import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { judgeAs, startModelServer } from "#second-opinion/testing/model-server.ts";
import { judgeAlerts } from "./judge-alerts.ts";
import { scoreJudge } from "./score-judge.ts";

let model: Awaited<ReturnType<typeof startModelServer>>;
const http = createGuardedFetch(createGuard({ allow: parseEgressAllow("127.0.0.0/8") }));
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(async () => {
  await http.close();
  await model.close();
});

const verdictOf = (after: string, severity = "notice", ...more: string[]) =>
  ({
    severity,
    findings: [],
    reasons: [after, ...more].map((text) => ({
      kind: "text",
      severity,
      summary: "",
      changes: [{ where: "", before: null, after: text }],
      count: 1,
    })),
  }) as unknown as Verdict;

test("a fake endpoint is scored: recall at each share of lowered alerts, with and without our protection", async () => {
  const classes: Record<string, string> = {
    Counter: "noise",
    Price: "important",
    Hours: "routine",
    Login: "noise",
  };
  model.state.reply = ({ blocks: [block] }) => {
    const word = block?.text.split(" ")[0] ?? "";
    if (word === "Broken") return "no JSON";
    return JSON.stringify({ class: classes[word], blocks: ["b1"], sentence: `${word} changed.` });
  };
  const judged = await judgeAlerts(http, { url: `${model.url}/chat/completions`, model: "m", key: null }, [
    { name: "counter", isWanted: false, verdict: verdictOf("Counter at 12") },
    { name: "price", isWanted: true, verdict: verdictOf("Price at 12") },
    { name: "hours", isWanted: true, verdict: verdictOf("Hours until 12") },
    { name: "login", isWanted: true, verdict: verdictOf("Login elsewhere", "critical") },
    { name: "broken", isWanted: true, verdict: verdictOf("Broken answer") },
    { name: "two", isWanted: true, verdict: verdictOf("Counter at 13", "notice", "Refunds end") },
  ]);
  expect(judged).toMatchObject({ calls: 6, inputTokens: 2_400, outputTokens: 120 });
  expect([...judged.unusable]).toEqual([["Its answer isn’t JSON.", 1]]);
  expect(scoreJudge(judged.alerts, true)).toEqual([
    { lowers: ["noise"], lowered: 1 / 6, recall: 1, wrong: [] },
    { lowers: ["noise", "routine"], lowered: 2 / 6, recall: 0.8, wrong: ["hours"] },
    { lowers: ["noise", "routine", "uncertain"], lowered: 2 / 6, recall: 0.8, wrong: ["hours"] },
  ]);
  // The product doesn't lower "two": the model judged only one of its blocks.
  expect(scoreJudge(judged.alerts, false)[0]).toMatchObject({ lowered: 0.5, wrong: ["login", "two"] });
});

test("the command asks an endpoint on this machine and prints the recall at each share", async () => {
  model.state.reply = judgeAs("routine");
  const script = fileURLToPath(new URL("../judge.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    script,
    `${model.url.replace("127.0.0.1", "localhost")}/v1`,
    "llama",
    "--every",
    "60",
  ]);
  expect(stdout).toMatch(/^\d+ alerts, \d+ of them wanted; \d+ that no model may lower\. \d+ calls in /);
  expect(stdout).not.toContain("may not be requested");
  expect(stdout).toMatch(
    /The model alone:\n {2}noise +0\.000 lowered, recall 1\.000, 0 wanted alerts lowered/,
  );
});
