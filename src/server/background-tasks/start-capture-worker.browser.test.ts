import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BrowserPool } from "#capture/browser-pool.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { findReadinessProblem } from "../observability/find-readiness-problem.ts";
import { StartError } from "../startup/start-error.ts";
import { startCaptureWorker } from "./start-capture-worker.ts";

test("a browser that does not start is named in a sentence and tried again, and the checks that wait are done", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-no-browser-"));
  await chmod(folder, 0o711);
  onTestFinished(() => rm(folder, { recursive: true }));
  const broken = join(folder, "chromium");
  await writeFile(
    broken,
    "#!/bin/sh\n[ $1 = --version ] && echo 140.0 && exit\necho cannot map memory >&2\nexit 1\n",
  );
  await chmod(broken, 0o755);
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>A site</title><main><p>It is captured at last.</p></main>");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  onTestFinished(() => void site.close());
  const engine = await startTestEngine({ capturing: false });
  const mayStart = Promise.withResolvers<void>();
  let attempts = 0;
  const stop = await startCaptureWorker(engine.app, {
    confirmAfterMs: 0,
    retryMs: 50,
    async openPool(options) {
      if (attempts++ < 2) return BrowserPool.open({ ...options, chromiumPath: broken });
      await mayStart.promise;
      return BrowserPool.open(options);
    },
  });
  const { createJob, execution } = await engine.person();
  const id = await createJob({ url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/` });
  expect(await findReadinessProblem(engine.app)).toEqual({
    sentence: "The browser does not start.",
    reason: "Chromium doesn’t start: cannot map memory",
  });
  const lines = engine.log.filter((line) => line.includes("The browser does not start"));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ reason: "Chromium doesn’t start: cannot map memory" });
  expect(lines[0]).not.toContain("stack");
  mayStart.resolve();
  expect(await execution(id, 1)).toMatchObject({ summary: "First capture", error: null });
  expect(attempts).toBe(3);
  expect(await findReadinessProblem(engine.app)).toBeUndefined();
  await engine.close();
  await stop();
});

test("without any browser the start is refused by a sentence", async () => {
  const engine = await startTestEngine({ capturing: false, environment: { CHROMIUM_PATH: "/nothing" } });
  const starting = startCaptureWorker(engine.app, { confirmAfterMs: 0 });
  await expect(starting).rejects.toThrow(new StartError("CHROMIUM_PATH isn’t a program: /nothing"));
  await engine.close();
});
