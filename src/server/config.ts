import { accessSync, constants } from "node:fs";
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { PaddleConfig } from "#billing/open-billing.ts";
import { readAdHosts } from "#capture/ad-hosts.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { parseOperatorProxies } from "#proxies/parse-operator-proxies.ts";
import { StartError } from "./startup/start-error.ts";

const port = z.coerce
  .number("must be a number")
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(65535, "must be at most 65535");
const weakSecret = /^(.)\1*$|^(change|default|secret|password|test|example)/i;
const secret = z
  .string()
  .min(32, "must be at least 32 characters")
  .refine((value) => !weakSecret.test(value), "is a default or guessable value");
const url = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.test(new URL(value).protocol),
      `must be an address like ${example}`,
    );
const count = (least: number) =>
  z.coerce.number("must be a number").int("must be a whole number").min(least, `must be at least ${least}`);

const pictureTypes: Record<string, string> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
};
const pictureFile = z
  .string()
  .refine(
    (path) => pictureTypes[extname(path).toLowerCase()] && canRead(path),
    "must be a JPEG, PNG or WebP file",
  )
  .transform((path) => ({ path, type: pictureTypes[extname(path).toLowerCase()] as string }));

function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const Environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: port.default(3000),
  BASE_URL: url(/^https?:$/, "https://watch.example.com").optional(),
  DATA_DIR: z.string().default("./data"),
  ROLE: z.enum(["all", "api", "scheduler", "worker"], "must be all, api, scheduler or worker").default("all"),
  DATABASE_URL: url(/^postgres(ql)?:$/, "postgres://user:password@host/database").optional(),
  BLOB_STORE: url(/^s3:$/, "s3://bucket?endpoint=https://host").optional(),
  SMTP_URL: url(/^smtps?:$/, "smtp://user:password@host:587").optional(),
  MAIL_DIR: z.string().optional(),
  MAIL_FROM: z.string().default("Watchglass <watchglass@localhost>"),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, "must be a token as BotFather gives it, like 123456:ABC")
    .optional(),
  TELEGRAM_API_ROOT: url(/^https?:$/, "https://host").optional(),
  PADDLE_API_KEY: z.string().optional(),
  PADDLE_CLIENT_TOKEN: z.string().optional(),
  PADDLE_WEBHOOK_SECRET: z.string().optional(),
  SANDBOX_CHECKOUT: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  // Tests set the URL of a substitute for Paddle's API.
  PADDLE_ENVIRONMENT: z
    .union(
      [z.enum(["sandbox", "production"]), z.url({ protocol: /^https?$/ })],
      "must be sandbox or production",
    )
    .default("sandbox"),
  TIMESTAMP_URL: url(/^https?:$/, "https://stamps.example/tsr").optional(),
  EVIDENCE_STORE: url(/^s3:$/, "s3://bucket?endpoint=https://host&lock-days=3650").optional(),
  EGRESS_ALLOW: z
    .string()
    .default("")
    .transform((value, context) => {
      try {
        return parseEgressAllow(value);
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message.replace(/\.$/, "") : "is not valid");
        return z.NEVER;
      }
    }),
  PROXIES: z
    .string()
    .default("")
    .transform((value, context) => {
      try {
        return parseOperatorProxies(value);
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : "is not valid");
        return z.NEVER;
      }
    }),
  AD_LIST: z
    .string()
    .optional()
    .transform((path, context) => {
      try {
        return path ? readAdHosts(path) : null;
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    }),
  PROXY_ECHO_URL: url(/^https?:$/, "https://address.example.com/").optional(),
  PROXY_LOOKUPS: z.enum(["here", "proxy"], "must be here or proxy").default("here"),
  TRUSTED_PROXIES: z
    .string()
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine(
      (list) => list.every((entry) => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)),
      "must be a comma list of URLs and CIDR ranges",
    )
    .default([]),
  CHROMIUM_PATH: z.string().optional(),
  CAPTURE_CONCURRENCY: count(1).optional(),
  LIVE_VIEWS: count(0).optional(),
  SITE_PER_SECOND: z.coerce.number("must be a number").min(0.05, "must be at least 0.05").default(5),
  CAPTURES_PER_HOST: z
    .string()
    .regex(/^\d+(,[^,=\s]+=\d+)*$/, "must be like 2 or 2,host.example=4")
    .default("2")
    .transform((value) => {
      const [all, ...hosts] = value.split(",");
      const widths = hosts.map((entry) => entry.split("=") as [string, string]);
      return { all: Number(all), hosts: new Map(widths.map(([host, width]) => [host, Number(width)])) };
    })
    .refine(
      ({ all, hosts }) => all > 0 && [...hosts.values()].every((width) => width > 0),
      "must be at least 1",
    ),
  CAPTURE_SANDBOX: z.enum(["on", "off"], "must be on or off").default("on"),
  SESSION_SECRET: secret.optional(),
  DATA_KEY: z
    .string()
    .transform((value) => value.split(","))
    .pipe(z.array(secret).nonempty())
    .optional(),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, "must be at least 16 characters").optional(),
  RATE_LIMIT_PER_MINUTE: count(1).default(600),
  SIGN_UP_PER_HOUR: count(1).default(10),
  DEMO: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  JURISDICTION: z.string().default("the country in which the operator of this installation is established"),
  SUPPORT_EMAIL: z.email("must be an email address").default("support@watchglass.example"),
  ABOUT_PORTRAIT: pictureFile.optional(),
  ABOUT_CODE_URL: url(/^https?:$/, "https://code.example/name").optional(),
  ABOUT_NETWORK_URL: url(/^https?:$/, "https://network.example/name").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?:$/, "http://collector:4318").optional(),
  ACCESS_LOG: z.enum(["on", "off"], "must be on or off").default("off"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "must be one of pino's levels")
    .default("info"),
});

/** Reads and validates the environment; nothing else reads it. All problems are reported together. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = Environment.safeParse(values);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`);
    throw new StartError(problems.join("\n"));
  }
  const env = result.data;
  if (env.ROLE !== "all" && !env.DATABASE_URL) {
    throw new StartError(`ROLE ${env.ROLE} needs DATABASE_URL: only ROLE=all starts PostgreSQL itself.`);
  }
  if (["worker", "api"].includes(env.ROLE) && !env.SMTP_URL && !env.MAIL_DIR) {
    throw new StartError(
      `ROLE ${env.ROLE} needs SMTP_URL, or MAIL_DIR on a disk that workers and API share: mails are sent by one process and shown by another.`,
    );
  }
  const paddleKeys = ["PADDLE_API_KEY", "PADDLE_CLIENT_TOKEN", "PADDLE_WEBHOOK_SECRET"] as const;
  const missing = paddleKeys.filter((name) => !env[name]);
  if (missing.length > 0 && missing.length < paddleKeys.length) {
    throw new StartError(`${missing.join(" and ")} must be set too: Paddle needs all of its keys.`);
  }
  const demoPort = env.DEMO === "1" ? env.PORT + 1 : null;
  if (demoPort !== null && (env.ROLE !== "all" || demoPort > 65535)) {
    throw new StartError("DEMO needs ROLE=all and a PORT below 65535: its site listens on the next port.");
  }
  const baseUrl = (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/(?<!\/)\/+$/, "");
  return {
    host: env.HOST,
    port: env.PORT,
    baseUrl,
    dataDir: env.DATA_DIR,
    role: env.ROLE,
    databaseUrl: env.DATABASE_URL,
    blobStore: env.BLOB_STORE,
    egressAllow:
      demoPort === null
        ? env.EGRESS_ALLOW
        : parseEgressAllow(`${values.EGRESS_ALLOW ? `${values.EGRESS_ALLOW},` : ""}127.0.0.1:${demoPort}`),
    proxies: {
      operators: env.PROXIES,
      echoUrl: env.PROXY_ECHO_URL ?? null,
      mayLookUpNames: env.PROXY_LOOKUPS === "proxy",
    },
    /** The hosts of ads that jobs may leave out. */
    adHosts: env.AD_LIST,
    trustedProxies: env.TRUSTED_PROXIES,
    chromiumPath: env.CHROMIUM_PATH,
    /** Pages that one account may have open at once. */
    // Two per processor, because each page spends half its time waiting for its server and for frames.
    captureConcurrency: env.CAPTURE_CONCURRENCY ?? 2 * availableParallelism() + 1,
    capturesPerHost: env.CAPTURES_PER_HOST,
    /** Live views open at once. In a cluster, only an API that is set up for it starts browsers. */
    liveViews: env.LIVE_VIEWS ?? (env.ROLE === "all" ? 2 : 0),
    sitePerSecond: env.SITE_PER_SECOND,
    smtpUrl: env.SMTP_URL,
    /** The folder for mails if there is no mail server; DATA_DIR/mailbox by default. */
    mailDir: env.MAIL_DIR,
    mailFrom: env.MAIL_FROM,
    timestampUrl: env.TIMESTAMP_URL ?? null,
    /** A second bucket, with object lock, that gets each day's fingerprint. */
    evidenceStore: env.EVIDENCE_STORE ?? null,
    paddle: paddleOf(env),
    sandboxCheckout: env.SANDBOX_CHECKOUT === "1",
    /** The port of roles without the API; undefined for any free port. */
    metricsPort: env.METRICS_PORT,
    metricsToken: env.METRICS_TOKEN,
    captureSandbox: env.CAPTURE_SANDBOX === "on",
    telegram: env.TELEGRAM_BOT_TOKEN
      ? {
          token: env.TELEGRAM_BOT_TOKEN,
          ...(env.TELEGRAM_API_ROOT ? { apiRoot: env.TELEGRAM_API_ROOT.replace(/(?<!\/)\/+$/, "") } : {}),
        }
      : null,
    sessionSecret: env.SESSION_SECRET,
    dataKeys: env.DATA_KEY,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    signUpPerHour: env.SIGN_UP_PER_HOUR,
    /** The port of the demo site; null without demo mode. */
    demoPort,
    jurisdiction: env.JURISDICTION,
    supportEmail: env.SUPPORT_EMAIL,
    about: {
      portrait: env.ABOUT_PORTRAIT,
      codeUrl: env.ABOUT_CODE_URL ?? null,
      networkUrl: env.ABOUT_NETWORK_URL ?? null,
    },
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
    /** Whether each call is a line of the log, with the caller's address. */
    accessLog: env.ACCESS_LOG === "on",
  };
}

function paddleOf(env: z.infer<typeof Environment>): PaddleConfig | undefined {
  const { PADDLE_API_KEY: apiKey, PADDLE_CLIENT_TOKEN: clientToken } = env;
  const { PADDLE_WEBHOOK_SECRET: webhookSecret, PADDLE_ENVIRONMENT: environment } = env;
  if (!apiKey || !clientToken || !webhookSecret) return undefined;
  return { apiKey, clientToken, webhookSecret, environment };
}

export type Config = ReturnType<typeof readConfig>;
export type Role = Config["role"];

/** Whether only this machine can reach us. If so, the local mailbox may be shown. */
export function listensOnLoopback(config: Pick<Config, "host">): boolean {
  return /^(127(\.\d+){3}|::1|localhost)$/.test(config.host);
}
