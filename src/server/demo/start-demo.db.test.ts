import { createServer } from "node:net";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/test-app.ts";
import { startDemo } from "./start-demo.ts";

/** A free port; the demo's site takes the next one. */
async function freePort(): Promise<number> {
  for (;;) {
    const first = 20_000 + 2 * Math.floor(Math.random() * 5_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server.once("error", () => resolve(false)).listen(first + 1, "127.0.0.1", () => resolve(true)),
    );
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return first;
  }
}

test("the demo's account watches the four pages of the bundled site, and visitors can't change it", async () => {
  const t = await startTestApp({ DEMO: "1", PORT: String(await freePort()) });
  const stop = await startDemo(t.app);
  const signedIn = await t.call("POST", "/api/auth/demo");
  expect(signedIn.status).toBe(200);
  const token = String(signedIn.body.token);
  const groups = (await t.call("GET", "/api/jobs/groups", undefined, { token })).body as unknown as {
    id: string;
  }[];
  expect(groups).toHaveLength(1);
  const group = await t.call("GET", `/api/jobs/groups/${groups[0]?.id}`, undefined, { token });
  const jobs = group.body.Job as unknown as { name: string; url: string; status: string }[];
  expect(jobs.map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
    "Release notes ACTIVE",
    "Shop front ACTIVE",
    "Sign-in form ACTIVE",
    "Status page ACTIVE",
  ]);
  // src/server/config.test.ts tests that the guard lets the checks reach it.
  for (const { url } of jobs) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  const refused = await t.call("POST", "/api/jobs/groups", { name: "Mine" }, { token });
  expect([refused.status, refused.body.code]).toEqual([403, "DEMO_READ_ONLY"]);
  await stop();
  await t.close();
});
