import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { threadEnv } from "#worker-threads/thread-env.ts";
import type { Answer } from "./open-detector.ts";

test("B7 the processor time of a jq program counts as its account's, although another thread runs it", async () => {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), { env: threadEnv() });
  onTestFinished(() => void thread.terminate());
  await once(thread, "message");
  const view = async (selector: string): Promise<Answer> => {
    const snapshot = snapshotOf("[1]", "json", "http://watched.example/a.json");
    thread.postMessage({ name: "view", input: { snapshot, rules: { selector, ignore: [] } } });
    const [answer] = (await once(thread, "message")) as [Answer];
    return answer;
  };
  // What starting jq costs belongs to nobody.
  expect(await view("jq:.[0]")).toMatchObject({ ok: true });
  const stopped = await view("jq:last(range(1e12))");
  expect(stopped).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining("half a second") },
  });
  expect(stopped.ms).toBeGreaterThan(400);
});
