import { describe, expect, it } from "vitest";
import { listensOnLoopback, readConfig } from "./config.ts";

describe("readConfig", () => {
  it("has defaults for everything", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      baseUrl: "http://localhost:3000",
      dataDir: "./data",
      role: "all",
      rateLimitPerMinute: 600,
      signUpPerHour: 10,
      demoPort: null,
      logLevel: "info",
    });
  });

  it("turns Chromium's own sandbox off only if CAPTURE_SANDBOX is off", () => {
    const sandbox = (CAPTURE_SANDBOX?: string) => readConfig({ CAPTURE_SANDBOX }).captureSandbox;
    expect([sandbox(), sandbox("on"), sandbox("off")]).toEqual([true, true, false]);
  });

  it("treats an empty variable as not set", () => {
    expect(readConfig({ PORT: "", SMTP_URL: "" })).toMatchObject({ port: 3000, smtpUrl: undefined });
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ PORT: "banana" }, "PORT must be a number."],
    [{ PORT: "-1" }, "PORT must be at least 0."],
    [{ AD_LIST: "nowhere.txt" }, "AD_LIST names a file that can't be read (ENOENT)."],
    [{ PROXIES: "berlin" }, "PROXIES must have entries like name=socks5://"],
    [{ SIGN_UP_PER_HOUR: "0" }, "SIGN_UP_PER_HOUR must be at least 1."],
    [{ ABOUT_PORTRAIT: "nowhere.png" }, "ABOUT_PORTRAIT must be a JPEG, PNG or WebP file."],
    [{ ABOUT_CODE_URL: "mine" }, "ABOUT_CODE_URL must be an address like https://code.example/name."],
    [{ PORT: "70000" }, "PORT must be at most 65535."],
    [{ ROLE: "boss" }, "ROLE must be all, api, scheduler or worker."],
    [{ SMTP_URL: "http://mail" }, "SMTP_URL must be an address like smtp://user:password@host:587."],
    [{ BASE_URL: "watch.example.com" }, "BASE_URL must be an address like https://watch.example.com."],
    [
      { DATABASE_URL: "mysql://x" },
      "DATABASE_URL must be an address like postgres://user:password@host/database.",
    ],
    [{ CAPTURES_PER_HOST: "many" }, "CAPTURES_PER_HOST must be like 2 or 2,host.example=4."],
    [{ CAPTURES_PER_HOST: "2,a.example=0" }, "CAPTURES_PER_HOST must be at least 1."],
    [{ ACCESS_LOG: "yes" }, "ACCESS_LOG must be on or off."],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of pino's levels."],
    [{ SESSION_SECRET: "short" }, "SESSION_SECRET must be at least 32 characters."],
    [{ SESSION_SECRET: "a".repeat(40) }, "SESSION_SECRET is a default or guessable value."],
    [
      { SESSION_SECRET: "changeme-changeme-changeme-changeme" },
      "SESSION_SECRET is a default or guessable value.",
    ],
    [{ ROLE: "worker" }, "ROLE worker needs DATABASE_URL: only ROLE=all starts PostgreSQL itself."],
    [
      { ROLE: "worker", DATABASE_URL: "postgres://a/b" },
      "ROLE worker needs SMTP_URL, or MAIL_DIR on a disk that workers and API share: mails are sent by one process and shown by another.",
    ],
    [
      { DEMO: "1", PORT: "65535" },
      "DEMO needs ROLE=all and a PORT below 65535: its site listens on the next port.",
    ],
  ])("D4 refuses %j with one sentence that names the variable", (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  it("adds only the demo's own site to the allowed addresses in demo mode", () => {
    const { demoPort, egressAllow } = readConfig({ DEMO: "1", PORT: "4000", EGRESS_ALLOW: "10.1.0.0/16" });
    expect([demoPort, egressAllow.text]).toEqual([4001, "10.1.0.0/16, 127.0.0.1:4001"]);
  });

  it("reports every problem at once", () => {
    expect(() => readConfig({ PORT: "x", ROLE: "y" })).toThrow(/PORT .*\nROLE /);
  });
});

it("listensOnLoopback is true for loopback hosts only", () => {
  const hosts = [
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "localhost",
    "0.0.0.0",
    "::",
    "192.168.0.1",
    "127.0.0.1.example",
  ];
  expect(hosts.filter((host) => listensOnLoopback({ host }))).toEqual([
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "localhost",
  ]);
});
