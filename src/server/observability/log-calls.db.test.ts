import { connect } from "node:net";
import { expect, test } from "vitest";
import { startTestApp } from "../testing/test-app.ts";

type Line = { id?: string; level: number; path?: string; address?: string; msg: string; err?: object };

test("each answer names its call's id, which each line of the log about the call has; ACCESS_LOG lists all calls", async () => {
  const quiet = await startTestApp();
  const open = await startTestApp({ ACCESS_LOG: "on" });
  for (const started of [quiet, open]) {
    const { call, app, log } = started;
    const isListed = app.config.accessLog;
    // As with LOG_LEVEL=warn.
    app.logger.level = isListed ? "warn" : "trace";
    const linesOf = (answer: { headers: Record<string, unknown> }): Line[] => {
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      return log
        .map((line) => JSON.parse(line) as Line)
        .filter(({ id }) => id === answer.headers["x-request-id"]);
    };
    const answers = [
      await call("GET", "/api/site"),
      await call("GET", "/api/jobs?secret=1"),
      await call("POST", "/api/auth/login", { email: "x" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    const paths = ["/api/site", "/api/jobs", "/api/auth/login"];
    for (const [at, answer] of answers.entries())
      expect(linesOf(answer)).toMatchObject([
        isListed
          ? {
              level: 30,
              msg: "request answered",
              path: paths[at],
              status: answer.status,
              address: "192.0.2.1",
            }
          : { level: 20, msg: "request answered", path: paths[at], status: answer.status },
      ]);
    expect(log.join()).not.toContain("secret=1");

    app.metrics.registry.metrics = () => Promise.reject(new Error("a bug of ours"));
    const headers = { host: "localhost" };
    const failed = await call("GET", "/metrics", undefined, { ip: "127.0.0.1", headers });
    expect(failed).toMatchObject({ status: 500, body: { id: failed.headers["x-request-id"] } });
    expect(linesOf(failed)).toMatchObject([
      { msg: "a call failed", err: { message: "a bug of ours" } },
      { msg: "request answered", path: "/metrics" },
    ]);
    // A path that no router can read is answered before any hook.
    expect((await call("GET", "/%")).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    await started.close();
  }
});

test("a call whose caller goes away before the answer is in the access log, too", async () => {
  const started = await startTestApp({ ACCESS_LOG: "on" });
  const { app, log, server } = started;
  app.logger.level = "warn";
  const { port } = new URL(await server.listen({ port: 0, host: "127.0.0.1" }));
  const linesOf = () => log.map((line) => JSON.parse(line) as Line).filter(({ path }) => path);
  const caller = connect(Number(port), "127.0.0.1");
  const head = [
    "POST /api/auth/login?secret=1 HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
  ];
  caller.write(`${[...head, "Content-Length: 9"].join("\r\n")}\r\n\r\n{`);
  await new Promise((resolve) => server.server.once("request", resolve));
  caller.destroy();
  await expect.poll(linesOf).toMatchObject([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      level: 30,
      msg: "caller gone",
      path: "/api/auth/login",
      address: "127.0.0.1",
    },
  ]);
  await started.close();
});
